public import AggregateCore

/// Dates as feeds write them: RFC 822 and 2822, ISO 8601 and its profiles, asctime, and mistakes.
public enum FeedDate {
  /// The point in time that `text` means; nil when it means none for sure.
  ///
  /// Without a zone it is UTC. Two-digit years below 70 are in this century.
  public static func parse(_ text: String) -> Instant? {
    let trimmed = HTMLMarkup.collapsed(text)
    guard !trimmed.isEmpty, trimmed.utf8.count <= 100 else { return nil }
    let text = withoutBrackets(trimmed)
    return ISODate.parse(text) ?? WordDate.parse(text)
  }

  /// `2024-01-01T10:00+01:00[Europe/Berlin]` without the name, which says nothing more than the offset.
  private static func withoutBrackets(_ text: String) -> String {
    guard text.last == "]", let open = text.lastIndex(of: "[") else { return text }
    let before = text[..<open]
    let hasOffset = before.last == "Z" || before.suffix(6).contains { $0 == "+" || $0 == "-" }
    return hasOffset ? String(before) : "\(before) \(text[text.index(after: open)...].dropLast())"
  }
}

/// A date, a time of day and an offset, on their way to an instant.
struct DateParts {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0
  var microsecond = 0
  /// Minutes east of UTC.
  var offset = 0
  /// The zone, when it has a name whose offset depends on the date.
  var zone: TimeZoneRules?

  /// The instant; nil when a part is out of range.
  var instant: Instant? {
    guard let date = CalendarDate(year: year, month: month, day: day), (1...9999).contains(year),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      abs(offset) <= 18 * 60, hour < 24 || (minute == 0 && second == 0)
    else { return nil }
    if let zone {
      let seconds = Int64(hour * 3600 + minute * 60 + second)
      return zone.instant(date, microsecondsOfDay: seconds * 1_000_000 + Int64(microsecond))
    }
    let seconds = Int64(hour * 3600 + minute * 60 + second - offset * 60)
    return Instant(date, microsecondsOfDay: seconds * 1_000_000 + Int64(microsecond))
  }

  /// The year meant by two digits.
  static func century(_ year: Int) -> Int { year < 70 ? 2000 + year : 1900 + year }

  /// Reads `h:m`, `h:m:s` and `h:m:s.f`, the whole of `text`.
  mutating func readTime(_ text: Substring) -> Bool {
    var rest = text
    if let mark = rest.firstIndex(where: { $0 == "." || $0 == "," }) {
      let fraction = rest[rest.index(after: mark)...]
      guard !fraction.isEmpty, fraction.utf8.allSatisfy(Self.isDigit) else { return false }
      let six = fraction.prefix(6) + String(repeating: "0", count: max(0, 6 - fraction.count))
      microsecond = Int(six) ?? 0
      rest = rest[..<mark]
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.map { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy(Self.isDigit)
        ? Int(part) ?? -1 : -1
    }
    guard (2...3).contains(numbers.count), !numbers.contains(-1) else { return false }
    hour = numbers[0]
    minute = numbers[1]
    second = numbers.count > 2 ? numbers[2] : 0
    return true
  }

  /// Reads the name of a place, such as `Europe/Berlin`, into ``zone``.
  mutating func readZone(_ text: Substring) -> Bool {
    guard text.contains("/"), let found = TimeZoneRules.named(String(text)) else { return false }
    zone = found
    return true
  }

  /// `10.00` and `10.00.00` with colons; anything else as it is.
  static func withColons(_ clock: Substring) -> Substring {
    let pieces = clock.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(pieces.count), pieces[0].utf8.count <= 2,
      pieces.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      pieces.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) })
    else { return clock }
    return pieces.joined(separator: ":")[...]
  }

  /// Reads `+hh:mm`, `-hhmm`, `+hh` and `Z` into ``offset``.
  mutating func readOffset(_ text: Substring) -> Bool {
    if text == "Z" || text == "z" {
      offset = 0
      return true
    }
    guard let sign = text.first, sign == "+" || sign == "-" else { return false }
    let body = text.dropFirst()
    let digits = body.filter { $0 != ":" }
    guard digits.utf8.allSatisfy(Self.isDigit), body.split(separator: ":").count <= 2 else {
      return false
    }
    let hours: Int?
    let minutes: Int?
    if let colon = body.firstIndex(of: ":") {
      hours = Int(body[..<colon])
      minutes = Int(body[body.index(after: colon)...])
    } else {
      switch digits.count {
      case 1, 2: (hours, minutes) = (Int(digits), 0)
      case 3, 4: (hours, minutes) = (Int(digits.dropLast(2)), Int(digits.suffix(2)))
      default: return false
      }
    }
    guard let hours, let minutes, minutes < 60, hours < 19 else { return false }
    offset = (hours * 60 + minutes) * (sign == "-" ? -1 : 1)
    return true
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
