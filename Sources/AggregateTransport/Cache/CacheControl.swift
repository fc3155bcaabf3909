internal import AggregateCore

/// What the header fields of an answer say about keeping it, by RFC 9111.
struct CacheControl {
  private var directives: [String: String] = [:]

  init(_ headers: [HTTPField]) {
    for field in headers where field.name.lowercased() == "cache-control" {
      for part in Self.parts(field.value) {
        let pair = part.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard let name = pair.first?.lowercased() else { continue }
        let value = pair.count > 1 ? pair[1].filter { $0 != "\"" } : ""
        // Of contradicting values the stricter one counts.
        if let old = directives[name].flatMap({ Int($0) }), let new = Int(value), new > old {
          continue
        }
        directives[name] = value
      }
    }
  }

  func has(_ name: String) -> Bool { directives[name] != nil }

  func seconds(_ name: String) -> Double? {
    directives[name].map { max(0, Double($0) ?? 0) }
  }

  /// How long an answer is fresh by its own words, in seconds; nil when it does not say.
  static func lifetime(_ response: HTTPResponse) -> Double? {
    let control = CacheControl(response.headers)
    if control.has("no-cache") { return 0 }
    if let age = control.seconds("max-age") { return age }
    guard let text = response.header("Expires") else { return nil }
    // An invalid date, `0` above all, means that it has expired.
    guard let expires = Instant(httpDate: text) else { return 0 }
    let date = response.header("Date").flatMap { Instant(httpDate: $0) } ?? response.fetchedAt
    return max(0, Double(expires.microseconds - date.microseconds) / 1e6)
  }

  /// How old an answer was when it arrived, in seconds.
  static func age(_ response: HTTPResponse) -> Double {
    let told = response.header("Age").flatMap { Double($0.trimmed) } ?? 0
    let date = response.header("Date").flatMap { Instant(httpDate: $0) }
    let apparent = date.map { Double(response.fetchedAt.microseconds - $0.microseconds) / 1e6 } ?? 0
    // Dates are whole seconds.
    return max(0, told.isFinite ? told : 0, apparent < 1 ? 0 : apparent)
  }

  /// Splits at commas outside quotes.
  private static func parts(_ text: String) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" { isQuoted.toggle() }
      if character == "," && !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map(\.trimmed).filter { !$0.isEmpty }
  }
}
