/// Reads times from raw bytes, without making a `String`.
///
/// Understands ISO 8601 and RFC 3339 (date only, `T` or space, seconds optional, fractions cut to
/// microseconds, `Z`, `+02:00`, `+0200`, `+02`, the basic form `20240305T102030Z`) and RFC 822/2822.
public enum InstantParser {
  /// The reading of a text that is an ISO 8601 date or time and nothing else.
  public static func iso8601(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    let count = bytes.count
    if count >= 15, digits(bytes, 0, 8) != nil { return basic(bytes) }
    guard count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = digits(bytes, 0, 4), let month = digits(bytes, 5, 2),
      let day = digits(bytes, 8, 2), isDate(year, month, day)
    else { return nil }
    let days = CalendarDate.daysFromCivil(year, month, day)
    if count == 10 {
      return InstantReading(local: Int64(days) * 86_400_000_000, offset: nil, isDateOnly: true)
    }
    let separator = bytes[10]
    guard separator | 0x20 == UInt8(ascii: "t") || separator == 0x20 else { return nil }
    var cursor = 11
    guard let time = clock(bytes, &cursor) else { return nil }
    return ended(bytes, cursor, local: Int64(days) * 86_400_000_000 + time)
  }

  /// The reading of an RFC 822 or RFC 2822 date: `Tue, 05 Mar 2024 10:20:30 +0000`.
  public static func rfc822(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    var words: [UnsafeRawBufferPointer] = []
    for word in bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x2C || $0 == 9 }) {
      words.append(UnsafeRawBufferPointer(rebasing: word))
      if words.count > 8 { return nil }
    }
    if let first = words.first, first.count >= 3, digits(first, 0, 1) == nil { words.removeFirst() }
    guard words.count >= 4, words.count <= 6, let day = number(words[0], 1...2),
      let month = TimeNames.month(words[1]), let year = rfcYear(words[2]),
      isDate(year, month, day)
    else { return nil }
    var cursor = 0
    guard let time = clock(words[3], &cursor), cursor == words[3].count else { return nil }
    var offset: Int?
    if words.count >= 5 {
      guard let zone = rfcZone(words[4]) else { return nil }
      offset = zone
    }
    // A comment such as `(UTC)` may follow the zone.
    if words.count == 6, words[5].first != UInt8(ascii: "(") { return nil }
    let days = CalendarDate.daysFromCivil(year, month, day)
    return InstantReading(local: Int64(days) * 86_400_000_000 + time, offset: offset)
  }

  /// The reading of ISO 8601 or RFC 822 text, surrounding spaces aside.
  public static func any(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    iso8601(bytes) ?? rfc822(bytes) ?? trimmed(bytes).flatMap { iso8601($0) }
  }

  /// Epoch time from the text of a number, `unit` being microseconds per unit: 1,000,000 for seconds.
  public static func epoch(_ bytes: UnsafeRawBufferPointer, unit: Int64) -> Instant? {
    if let whole = NumberText.int64(bytes) {
      let (value, overflow) = whole.multipliedReportingOverflow(by: unit)
      return overflow ? nil : Instant(microseconds: value)
    }
    guard NumberText.kind(bytes) != nil, let value = Double(String(decoding: bytes, as: UTF8.self))
    else { return nil }
    let scaled = (value * Double(unit)).rounded()
    return abs(scaled) < 9.2e18 ? Instant(microseconds: Int64(scaled)) : nil
  }

  /// `Z`, `+02:00`, `+0200`, `+02` at `cursor`, in seconds; moves behind it.
  static func offset(_ bytes: UnsafeRawBufferPointer, _ cursor: inout Int) -> Int? {
    guard cursor < bytes.count else { return nil }
    let sign = bytes[cursor]
    if sign | 0x20 == UInt8(ascii: "z") {
      cursor += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = digits(bytes, cursor + 1, 2), hours <= 24
    else { return nil }
    cursor += 3
    var minutes = 0
    let hasColon = cursor < bytes.count && bytes[cursor] == UInt8(ascii: ":")
    if let found = digits(bytes, hasColon ? cursor + 1 : cursor, 2) {
      guard found < 60 else { return nil }
      minutes = found
      cursor += hasColon ? 3 : 2
    } else if hasColon {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// The value of `count` digits from `start` on.
  @inline(__always)
  static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var value = 0
    for i in start..<start + count {
      let digit = bytes[i] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  @inline(__always)
  static func isDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    month >= 1 && month <= 12 && day >= 1
      && (day <= 28 || day <= CalendarDate.days(inMonth: month, year: year))
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
      let last = bytes.lastIndex(where: { $0 > 0x20 }), last - first + 1 < bytes.count
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[first...last])
  }

  private static func basic(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    guard let year = digits(bytes, 0, 4), let month = digits(bytes, 4, 2),
      let day = digits(bytes, 6, 2), isDate(year, month, day),
      bytes[8] | 0x20 == UInt8(ascii: "t"), let hour = digits(bytes, 9, 2), hour < 24,
      let minute = digits(bytes, 11, 2), minute < 60, let second = digits(bytes, 13, 2),
      second <= 60
    else { return nil }
    var cursor = 15
    let fraction = fraction(bytes, &cursor)
    let days = Int64(CalendarDate.daysFromCivil(year, month, day))
    let seconds = Int64(hour * 3600 + minute * 60 + second)
    return ended(
      bytes, cursor, local: days * 86_400_000_000 + seconds * 1_000_000 + fraction)
  }

  /// `HH:MM[:SS[.fraction]]` at `cursor`, in microseconds.
  @inline(__always)
  private static func clock(_ bytes: UnsafeRawBufferPointer, _ cursor: inout Int) -> Int64? {
    guard let hour = digits(bytes, cursor, 2), hour <= 24, cursor + 2 < bytes.count,
      bytes[cursor + 2] == UInt8(ascii: ":"), let minute = digits(bytes, cursor + 3, 2),
      minute < 60
    else { return nil }
    cursor += 5
    var second = 0
    var micros: Int64 = 0
    if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ":") {
      guard let found = digits(bytes, cursor + 1, 2), found <= 60 else { return nil }
      second = found
      cursor += 3
      micros = fraction(bytes, &cursor)
    }
    if hour == 24, minute != 0 || second != 0 || micros != 0 { return nil }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + micros
  }

  /// `.` or `,` and up to nine digits at `cursor`, cut to microseconds; 0 when there is none.
  private static func fraction(_ bytes: UnsafeRawBufferPointer, _ cursor: inout Int) -> Int64 {
    guard cursor + 1 < bytes.count,
      bytes[cursor] == UInt8(ascii: ".") || bytes[cursor] == UInt8(ascii: ","),
      NumberText.isDigit(bytes[cursor + 1])
    else { return 0 }
    var micros: Int64 = 0
    var places = 0
    var i = cursor + 1
    while i < bytes.count, places < 9, NumberText.isDigit(bytes[i]) {
      if places < 6 { micros = micros * 10 + Int64(bytes[i] &- 48) }
      places += 1
      i += 1
    }
    while places < 6 {
      micros *= 10
      places += 1
    }
    cursor = i
    return micros
  }

  /// The reading when nothing or an offset is left.
  private static func ended(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, local: Int64
  ) -> InstantReading? {
    var cursor = start
    if cursor == bytes.count { return InstantReading(local: local, offset: nil) }
    if bytes[cursor] == 0x20 { cursor += 1 }
    if bytes.count - cursor == 3, bytes[cursor] == UInt8(ascii: "U"),
      bytes[cursor + 1] == UInt8(ascii: "T"), bytes[cursor + 2] == UInt8(ascii: "C")
    {
      return InstantReading(local: local, offset: 0)
    }
    guard let offset = offset(bytes, &cursor), cursor == bytes.count else { return nil }
    return InstantReading(local: local, offset: offset)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ widths: ClosedRange<Int>) -> Int? {
    widths.contains(bytes.count) ? digits(bytes, 0, bytes.count) : nil
  }

  private static func rfcYear(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let year = number(bytes, 2...4) else { return nil }
    switch bytes.count {
    case 2: return year < 50 ? 2000 + year : 1900 + year
    case 3: return 1900 + year
    default: return year
    }
  }

  private static func rfcZone(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var cursor = 0
    if let offset = offset(bytes, &cursor), cursor == bytes.count { return offset }
    switch String(decoding: bytes, as: UTF8.self).uppercased() {
    case "GMT", "UT", "UTC", "Z": return 0
    case "EST": return -5 * 3600
    case "EDT": return -4 * 3600
    case "CST": return -6 * 3600
    case "CDT": return -5 * 3600
    case "MST": return -7 * 3600
    case "MDT": return -6 * 3600
    case "PST": return -8 * 3600
    case "PDT": return -7 * 3600
    case "CET": return 3600
    case "CEST": return 7200
    case "BST": return 3600
    default: return nil
    }
  }
}

extension Instant {
  /// Creates an instant from ISO 8601 bytes; a naive time is taken in `zone`, and is nil without one.
  public init?(iso8601 bytes: UnsafeRawBufferPointer, zone: TimeZoneRules? = nil) {
    guard let found = InstantParser.iso8601(bytes)?.instant(zone: zone) else { return nil }
    self = found
  }

  /// Creates an instant from ISO 8601 text; a naive time is taken in `zone`, and is nil without one.
  public init?(iso8601 text: String, zone: TimeZoneRules? = nil) {
    var text = text
    let found = text.withUTF8 {
      InstantParser.iso8601(UnsafeRawBufferPointer($0))?.instant(zone: zone)
    }
    guard let found else { return nil }
    self = found
  }

  /// Creates an instant from an RFC 822 or RFC 2822 date; a naive one is taken in `zone`.
  public init?(rfc822 text: String, zone: TimeZoneRules? = nil) {
    var text = text
    let found = text.withUTF8 {
      InstantParser.rfc822(UnsafeRawBufferPointer($0))?.instant(zone: zone)
    }
    guard let found else { return nil }
    self = found
  }
}
