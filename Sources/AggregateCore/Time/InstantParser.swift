/// Reads times from raw bytes, without making a `String`.
///
/// Understands ISO 8601 and RFC 3339 (date only, `T` or space, seconds optional, fractions cut to
/// microseconds, `Z`, `+02:00`, `+0200`, `+02`, the basic form `20240305T102030Z`) and RFC 822/2822.
public enum InstantParser {
  /// The reading of a text that is an ISO 8601 date or time and nothing else.
  public static func iso8601(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    let count = bytes.count
    if count >= 15, TimeGrammar.digits(bytes, 0, 8) != nil { return basic(bytes) }
    guard count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = TimeGrammar.digits(bytes, 0, 4), let month = TimeGrammar.digits(bytes, 5, 2),
      let day = TimeGrammar.digits(bytes, 8, 2), TimeGrammar.isDate(year, month, day)
    else { return nil }
    let days = CalendarDate.daysFromCivil(year, month, day)
    if count == 10 {
      return InstantReading(local: Int64(days) * 86_400_000_000, offset: nil, isDateOnly: true)
    }
    let separator = bytes[10]
    guard separator | 0x20 == UInt8(ascii: "t") || separator == 0x20 else { return nil }
    var cursor = 11
    guard let time = TimeGrammar.clock(bytes, &cursor) else { return nil }
    return ended(bytes, cursor, local: Int64(days) * 86_400_000_000 + time)
  }

  /// The reading of an RFC 822 or RFC 2822 date: `Tue, 05 Mar 2024 10:20:30 +0000`.
  public static func rfc822(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    var words: [UnsafeRawBufferPointer] = []
    for word in bytes.split(whereSeparator: { $0 == 0x20 || $0 == 0x2C || $0 == 9 }) {
      words.append(UnsafeRawBufferPointer(rebasing: word))
      if words.count > 8 { return nil }
    }
    if let first = words.first, first.count >= 3, TimeGrammar.digits(first, 0, 1) == nil {
      words.removeFirst()
    }
    guard words.count >= 4, words.count <= 6, let day = number(words[0], 1...2),
      let month = TimeNames.month(words[1]), let year = rfcYear(words[2]),
      TimeGrammar.isDate(year, month, day)
    else { return nil }
    var cursor = 0
    guard let time = TimeGrammar.clock(words[3], &cursor), cursor == words[3].count else {
      return nil
    }
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

  /// Epoch time from the text of a number: seconds below 10¹¹, which is in the year 5138, else milliseconds.
  public static func epoch(_ bytes: UnsafeRawBufferPointer) -> Instant? {
    guard let plain = epoch(bytes, unit: 1) else { return nil }
    let isSeconds = plain.microseconds.magnitude < 100_000_000_000
    return epoch(bytes, unit: isSeconds ? 1_000_000 : 1000)
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

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
      let last = bytes.lastIndex(where: { $0 > 0x20 }), last - first + 1 < bytes.count
    else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[first...last])
  }

  private static func basic(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    guard let year = TimeGrammar.digits(bytes, 0, 4), let month = TimeGrammar.digits(bytes, 4, 2),
      let day = TimeGrammar.digits(bytes, 6, 2), TimeGrammar.isDate(year, month, day),
      bytes[8] | 0x20 == UInt8(ascii: "t"), let hour = TimeGrammar.digits(bytes, 9, 2), hour < 24,
      let minute = TimeGrammar.digits(bytes, 11, 2), minute < 60,
      let second = TimeGrammar.digits(bytes, 13, 2),
      second <= 60
    else { return nil }
    var cursor = 15
    let fraction = TimeGrammar.fraction(bytes, &cursor)
    let days = Int64(CalendarDate.daysFromCivil(year, month, day))
    let seconds = Int64(hour * 3600 + minute * 60 + second)
    return ended(
      bytes, cursor, local: days * 86_400_000_000 + seconds * 1_000_000 + fraction)
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
    guard let offset = TimeGrammar.offset(bytes, &cursor), cursor == bytes.count else { return nil }
    return InstantReading(local: local, offset: offset)
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ widths: ClosedRange<Int>) -> Int? {
    widths.contains(bytes.count) ? TimeGrammar.digits(bytes, 0, bytes.count) : nil
  }

  private static func rfcYear(_ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let year = number(bytes, 2...4) else { return nil }
    switch bytes.count {
    case 2: return TimeGrammar.fullYear(year, pivot: 50)
    case 3: return 1900 + year
    default: return year
    }
  }

  private static func rfcZone(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var cursor = 0
    if let offset = TimeGrammar.offset(bytes, &cursor), cursor == bytes.count { return offset }
    return ZoneNames.certainOffset(of: String(decoding: bytes, as: UTF8.self))
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
