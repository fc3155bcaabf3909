/// A point in time, UTC, in microseconds since 1970-01-01T00:00:00Z.
public struct Instant: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Microseconds since 1970-01-01T00:00:00Z.
  public let microseconds: Int64

  /// Creates an instant from microseconds since 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Creates an instant from seconds since 1970-01-01T00:00:00Z; nil when out of range.
  public init?(seconds: Int64) {
    let (value, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    if overflow { return nil }
    microseconds = value
  }

  /// Creates an instant from a date and a time of day, both UTC.
  public init(_ date: CalendarDate, microsecondsOfDay: Int64 = 0) {
    microseconds = Int64(date.days) * 86_400_000_000 + microsecondsOfDay
  }

  /// The date, UTC.
  public var date: CalendarDate {
    CalendarDate(days: Int32(clamping: Self.floorDivide(microseconds, 86_400_000_000)))
  }

  /// Microseconds since midnight, UTC.
  public var microsecondsOfDay: Int64 {
    microseconds - Self.floorDivide(microseconds, 86_400_000_000) * 86_400_000_000
  }

  /// `YYYY-MM-DDTHH:MM:SS[.fff[fff]]Z`; the fraction has 3 or 6 digits, or is left out when zero.
  public var iso8601: String {
    let time = microsecondsOfDay
    let seconds = Int(time / 1_000_000)
    let fraction = Int(time % 1_000_000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { CalendarDate.padded($0, 2) }.joined(separator: ":")
    let tail: String =
      if fraction == 0 {
        ""
      } else if fraction % 1000 == 0 {
        "." + CalendarDate.padded(fraction / 1000, 3)
      } else {
        "." + CalendarDate.padded(fraction, 6)
      }
    return "\(date.iso8601)T\(clock)\(tail)Z"
  }

  /// Earlier instants come first.
  public static func < (lhs: Instant, rhs: Instant) -> Bool {
    lhs.microseconds < rhs.microseconds
  }

  static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }
}
