/// A point in time as a text gave it, with what the text left open.
public struct InstantReading: Sendable, Hashable {
  /// Microseconds since 1970-01-01T00:00:00 on the clock that the text meant.
  public let local: Int64
  /// The offset from UTC that the text stated, in seconds; nil for a naive time.
  public let offset: Int?
  /// Whether the text had a date and no time of day.
  public let isDateOnly: Bool

  /// Creates a reading.
  public init(local: Int64, offset: Int?, isDateOnly: Bool = false) {
    self.local = local
    self.offset = offset
    self.isDateOnly = isDateOnly
  }

  /// Whether the text stated no offset, so that a zone must say what it means.
  public var isNaive: Bool { offset == nil }

  /// The date that the text gave, in its own offset.
  public var date: CalendarDate { Instant(microseconds: local).date }

  /// The point in time; a naive reading is taken in `zone`, and is nil without one.
  public func instant(zone: TimeZoneRules?) -> Instant? {
    guard let offset else { return zone?.instant(local: local) }
    let (value, overflow) = local.subtractingReportingOverflow(Int64(offset) * 1_000_000)
    return overflow ? nil : Instant(microseconds: value)
  }
}
