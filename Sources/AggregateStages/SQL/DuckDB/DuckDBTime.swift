internal import AggregateCore
internal import CDuckDB

/// Times and identifiers of DuckDB as text.
enum DuckDBTime {
  /// A point in time, ISO 8601 in UTC; nil for infinity and what is out of range.
  static func instant(_ value: Int64, _ type: cduckdb_type) -> String? {
    // The greatest and the least number stand for infinity.
    if value == .max || value == -.max { return nil }
    let unit: Int64 =
      switch type {
      case CDUCKDB_TIMESTAMP_S: 1_000_000
      case CDUCKDB_TIMESTAMP_MS: 1000
      default: 1
      }
    if type == CDUCKDB_TIMESTAMP_NS, value % 1000 != 0 {
      let seconds = value / 1_000_000_000 - (value % 1_000_000_000 < 0 ? 1 : 0)
      let whole = Instant(microseconds: seconds * 1_000_000).iso8601
      return "\(whole.dropLast()).\(padded(value - seconds * 1_000_000_000, 9))Z"
    }
    let (micros, overflow) =
      type == CDUCKDB_TIMESTAMP_NS
      ? (value / 1000, false) : value.multipliedReportingOverflow(by: unit)
    return overflow ? nil : Instant(microseconds: micros).iso8601
  }

  /// A time of day, `HH:MM:SS[.ffffff]`.
  static func clock(microseconds: Int64) -> String {
    let seconds = microseconds / 1_000_000
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
    let fraction = microseconds % 1_000_000
    return parts.joined(separator: ":") + (fraction == 0 ? "" : ".\(padded(fraction, 6))")
  }

  /// A UUID, which is stored with its first bit flipped so that order is kept.
  static func uuid(_ value: DuckDBHugeInt) -> String {
    let high = UInt64(bitPattern: value.high) ^ (1 << 63)
    var text = ""
    for half in [high, value.low] {
      let digits = String(half, radix: 16)
      text += String(repeating: "0", count: 16 - digits.count) + digits
    }
    var parts: [Substring] = []
    var rest = text[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts.joined(separator: "-")
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
