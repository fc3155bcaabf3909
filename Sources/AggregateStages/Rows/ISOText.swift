internal import AggregateCore

/// Dates and instants as ISO 8601 bytes, without making text of each.
enum ISOText {
  /// Appends `YYYY-MM-DD`.
  static func append(_ date: CalendarDate, into out: inout ByteBuilder) {
    let (year, month, day) = date.components
    guard (0...9999).contains(year) else { return out.append(date.iso8601) }
    out.append(maximum: 10) { target in
      write(year / 100, target, 0)
      write(year % 100, target, 2)
      target[4] = UInt8(ascii: "-")
      write(month, target, 5)
      target[7] = UInt8(ascii: "-")
      write(day, target, 8)
      return 10
    }
  }

  /// Appends `YYYY-MM-DDTHH:MM:SS[.fff[fff]]Z`.
  static func append(_ instant: Instant, into out: inout ByteBuilder) {
    let time = instant.microsecondsOfDay
    guard time % 1_000_000 == 0 else { return out.append(instant.iso8601) }
    append(instant.date, into: &out)
    let seconds = Int(time / 1_000_000)
    out.append(maximum: 10) { target in
      target[0] = UInt8(ascii: "T")
      write(seconds / 3600, target, 1)
      target[3] = UInt8(ascii: ":")
      write(seconds / 60 % 60, target, 4)
      target[6] = UInt8(ascii: ":")
      write(seconds % 60, target, 7)
      target[9] = UInt8(ascii: "Z")
      return 10
    }
  }

  @inline(__always)
  private static func write(_ value: Int, _ target: UnsafeMutableRawBufferPointer, _ at: Int) {
    target[at] = UInt8(truncatingIfNeeded: value / 10) &+ 48
    target[at + 1] = UInt8(truncatingIfNeeded: value % 10) &+ 48
  }
}
