internal import AggregateCore

/// A time to wait, in the forms that services write it.
enum WaitTime {
  private static let units: [String: Double] = [
    "ms": 0.001, "millisecond": 0.001, "s": 1, "sec": 1, "second": 1, "m": 60, "min": 60,
    "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86_400, "day": 86_400,
  ]

  /// The seconds from now on that `text` means, at least 0; nil when it means none.
  ///
  /// Takes a number of seconds (`37`, `1.5`), a time since 1970 in seconds, milliseconds, micro- or
  /// nanoseconds, a date of HTTP or of ISO 8601, and `1m30s` or `30 seconds`.
  static func seconds(_ text: String, _ now: Instant) -> Double? {
    let text = text.trimmed.filter { $0 != "\"" }
    if let date = date(text) { return since(now, Double(date.microseconds) / 1e6) }
    // Parameters, such as the window of `30;w=60`, and what a proxy has joined.
    guard let head = text.split(whereSeparator: { $0 == ";" || $0 == "," }).first?.trimmed else {
      return nil
    }
    guard let value = number(head) else { return duration(head) }
    switch value {
    // Thirty years are no wait, but a time since 1970.
    case ..<1e9: return max(0, value)
    case ..<1e11: return since(now, value)
    case ..<1e14: return since(now, value / 1e3)
    case ..<1e17: return since(now, value / 1e6)
    default: return since(now, value / 1e9)
    }
  }

  private static func since(_ now: Instant, _ seconds: Double) -> Double {
    max(0, seconds - Double(now.microseconds) / 1e6)
  }

  /// A decimal number. `Double` would take `nan`, `inf` and `0x1F`, too.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 || [0x2B, 0x2D, 0x2E].contains($0) })
    else { return nil }
    return Double(text)
  }

  private static func date(_ text: String) -> Instant? {
    guard text.utf8.count > 9, text.contains(where: { $0 == ":" || $0 == "-" }) else { return nil }
    let plain = text.hasSuffix(" UTC") ? String(text.dropLast(4)) : text
    // Last the forms that only HTTP has: its dates are read without a look at their zone.
    return Instant(iso8601: plain, zone: .utc) ?? Instant(rfc822: text, zone: .utc)
      ?? Instant(httpDate: text)
  }

  /// `1h2m3.5s`, `250ms`, `30 seconds`.
  private static func duration(_ text: String) -> Double? {
    var rest = text.lowercased()[...]
    var total = 0.0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      rest = rest[digits.endIndex...].drop { $0 == " " }
      let word = rest.prefix { $0.isLetter }
      rest = rest[word.endIndex...].drop { $0 == " " }
      let unit = units[String(word)] ?? (word.last == "s" ? units[String(word.dropLast())] : nil)
      guard let count = number(digits), let unit else { return nil }
      total += count * unit
    }
    return text.isEmpty ? nil : total
  }
}
