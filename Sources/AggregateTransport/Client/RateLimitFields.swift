internal import AggregateCore

/// What the header fields about rate limits say, in the forms they have had.
enum RateLimitFields {
  /// The seconds until the limits that are used up are reset, the longest; nil when none is.
  static func wait(_ response: HTTPResponse, _ now: Instant) -> Double? {
    let isRefused = response.status == 429
    let waits = resets(response, now, isRefused) + structured(response, isRefused)
    return waits.max()
  }

  /// `X-RateLimit-Reset`, `RateLimit-Reset`, `x-ratelimit-reset-tokens`, `X-RateLimit-Requests-Reset`
  /// and others, each with its own `…Remaining…`.
  private static func resets(
    _ response: HTTPResponse, _ now: Instant, _ isRefused: Bool
  ) -> [Double] {
    response.headers.compactMap { field in
      let name = field.name.lowercased()
      guard name.contains("ratelimit-") || name.contains("rate-limit-"),
        let place = name.firstRange(of: "reset")
      else { return nil }
      var remaining = name.replacingCharacters(place, with: "remaining")
      for ending in ["-after", "time"] where remaining.hasSuffix(ending) {
        remaining.removeLast(ending.count)
      }
      let left = response.header(remaining).flatMap { text in
        text.split { !$0.isNumber && $0 != "-" && $0 != "." }.first.flatMap { WaitTime.number($0) }
      }
      return isUsedUp(left, isRefused) ? WaitTime.seconds(field.value, now) : nil
    }
  }

  /// `RateLimit: "default";r=0;t=30`, and `limit=10, remaining=0, reset=30` of the drafts before it.
  private static func structured(_ response: HTTPResponse, _ isRefused: Bool) -> [Double] {
    guard let text = response.header("RateLimit") else { return [] }
    var waits: [Double] = []
    var old: [String: Double] = [:]
    for item in parts(text, ",") {
      var values: [String: Double] = [:]
      for parameter in parts(item, ";") {
        let pair = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
        if pair.count == 2 { values[pair[0].lowercased()] = WaitTime.number(pair[1]) }
      }
      if let wait = values["t"], isUsedUp(values["r"], isRefused) { waits.append(max(0, wait)) }
      old.merge(values) { $1 }
    }
    if let wait = old["reset"], isUsedUp(old["remaining"], isRefused) { waits.append(max(0, wait)) }
    return waits
  }

  /// A limit that does not say how much is left is used up when the answer says that there are too
  /// many requests.
  private static func isUsedUp(_ left: Double?, _ isRefused: Bool) -> Bool {
    left.map { $0 <= 0 } ?? isRefused
  }

  /// The parts of `text` between separators that are not quoted.
  private static func parts(_ text: String, _ separator: Character) -> [String] {
    var isQuoted = false
    return text.split(omittingEmptySubsequences: true) { character in
      if character == "\"" { isQuoted.toggle() }
      return character == separator && !isQuoted
    }.map(\.trimmed)
  }
}

extension String {
  /// The same text with the characters of `range` replaced.
  fileprivate func replacingCharacters(
    _ range: Range<String.Index>, with text: String
  ) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
