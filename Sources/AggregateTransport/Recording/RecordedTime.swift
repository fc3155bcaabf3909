internal import AggregateCore

/// The times of HAR entries: ISO 8601 with an offset.
enum RecordedTime {
  /// `2024-01-01T00:00:00.000Z`, `2024-01-01T01:00:00.000+01:00`; nil when it is neither.
  static func parse(_ text: String) -> Instant? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T"),
      let date = CalendarDate(iso8601: String(decoding: bytes[..<10], as: UTF8.self)),
      let hour = number(bytes, 11), let minute = number(bytes, 14), let second = number(bytes, 17)
    else { return nil }
    var i = 19
    var fraction: Int64 = 0
    if bytes[i] == UInt8(ascii: ".") {
      var unit: Int64 = 100_000
      i += 1
      while i < bytes.count, let digit = digit(bytes[i]) {
        fraction += Int64(digit) * unit
        unit /= 10
        i += 1
      }
    }
    var offset = 0
    if i < bytes.count, bytes[i] == UInt8(ascii: "+") || bytes[i] == UInt8(ascii: "-") {
      guard let hours = number(bytes, i + 1) else { return nil }
      let minutes = number(bytes, i + 4) ?? number(bytes, i + 3) ?? 0
      offset = (hours * 60 + minutes) * (bytes[i] == UInt8(ascii: "-") ? -1 : 1)
    }
    let seconds = Int64(hour * 3600 + minute * 60 + second - offset * 60)
    return Instant(date, microsecondsOfDay: seconds * 1_000_000 + fraction)
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 1 < bytes.count, let a = digit(bytes[start]), let b = digit(bytes[start + 1])
    else { return nil }
    return a * 10 + b
  }

  private static func digit(_ byte: UInt8) -> Int? {
    (48...57).contains(byte) ? Int(byte) - 48 : nil
  }
}
