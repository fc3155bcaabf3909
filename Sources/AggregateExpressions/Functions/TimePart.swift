internal import AggregateCore

/// A part of a time: what `extract`, `date_trunc` and `date_diff` take.
enum TimePart: String, Sendable, CaseIterable {
  case millennium, century, decade, year, isoyear, quarter, month, week, day, dow, isodow, doy
  case hour, minute, second, millisecond, microsecond, epoch

  private static let aliases: [String: TimePart] = [
    "dayofweek": .dow, "weekday": .dow, "dayofyear": .doy, "dayofmonth": .day,
    "weekofyear": .week, "ms": .millisecond, "us": .microsecond, "y": .year, "mon": .month,
    "w": .week, "d": .day, "h": .hour, "hr": .hour, "min": .minute, "m": .minute, "s": .second,
    "sec": .second, "msec": .millisecond, "usec": .microsecond,
  ]

  static func named(_ text: String) -> TimePart? {
    let name = text.lowercased()
    if let part = TimePart(rawValue: name) ?? aliases[name] { return part }
    guard name.hasSuffix("s"), name.count > 2 else { return nil }
    let singular = String(name.dropLast())
    return TimePart(rawValue: singular) ?? aliases[singular]
  }

  func value(_ time: Instant) -> Int64 {
    let date = time.date
    let clock = time.microsecondsOfDay
    switch self {
    case .millennium: return Int64((date.components.year + 999) / 1000)
    case .century: return Int64((date.components.year + 99) / 100)
    case .decade: return Int64(date.components.year / 10)
    case .year: return Int64(date.components.year)
    case .isoyear: return Int64(date.isoWeek.year)
    case .quarter: return Int64((date.components.month - 1) / 3 + 1)
    case .month: return Int64(date.components.month)
    case .week: return Int64(date.isoWeek.week)
    case .day: return Int64(date.components.day)
    case .dow: return Int64(date.weekday)
    case .isodow: return Int64(date.isoWeekday)
    case .doy: return Int64(date.dayOfYear)
    case .hour: return clock / 3_600_000_000
    case .minute: return clock / 60_000_000 % 60
    case .second: return clock / 1_000_000 % 60
    case .millisecond: return clock % 60_000_000 / 1000
    case .microsecond: return clock % 60_000_000
    case .epoch: return Self.floor(time.microseconds, 1_000_000)
    }
  }

  func value(_ interval: Interval) -> Int64 {
    switch self {
    case .year: interval.months / 12
    case .month: interval.months % 12
    case .day: interval.days
    case .hour: interval.micros / 3_600_000_000
    case .minute: interval.micros / 60_000_000 % 60
    case .second: interval.micros / 1_000_000 % 60
    case .millisecond: interval.micros % 60_000_000 / 1000
    case .microsecond: interval.micros % 60_000_000
    default: 0
    }
  }

  /// A number that grows by one at each boundary of the part.
  func index(_ time: Instant) -> Int64 {
    let date = time.date
    let (year, month, _) = date.components
    switch self {
    case .millennium: return Int64(year / 1000)
    case .century: return Int64(year / 100)
    case .decade: return Int64(year / 10)
    case .year: return Int64(year)
    case .isoyear: return Int64(date.isoWeek.year)
    case .quarter: return Int64(year * 4 + (month - 1) / 3)
    case .month: return Int64(year * 12 + month)
    case .week: return Self.floor(Int64(date.days) + 3, 7)
    case .day, .dow, .isodow, .doy: return Int64(date.days)
    case .hour: return Self.floor(time.microseconds, 3_600_000_000)
    case .minute: return Self.floor(time.microseconds, 60_000_000)
    case .second, .epoch: return Self.floor(time.microseconds, 1_000_000)
    case .millisecond: return Self.floor(time.microseconds, 1000)
    case .microsecond: return time.microseconds
    }
  }

  /// The first instant of the part that `time` lies in.
  func beginning(_ time: Instant) -> Instant? {
    let date = time.date
    let (year, month, _) = date.components
    func first(_ year: Int, _ month: Int = 1) -> Instant? {
      CalendarDate(year: year, month: month, day: 1).map { Instant($0) }
    }
    func cut(_ unit: Int64) -> Instant {
      Instant(microseconds: Self.floor(time.microseconds, unit) * unit)
    }
    switch self {
    case .millennium: return first((year - 1) / 1000 * 1000 + 1)
    case .century: return first((year - 1) / 100 * 100 + 1)
    case .decade: return first(year / 10 * 10)
    case .year: return first(year)
    case .isoyear:
      let fourth = CalendarDate(year: date.isoWeek.year, month: 1, day: 4)
      return fourth.map { Instant(CalendarDate(days: $0.days - Int32($0.isoWeekday - 1))) }
    case .quarter: return first(year, (month - 1) / 3 * 3 + 1)
    case .month: return first(year, month)
    case .week: return Instant(CalendarDate(days: date.days &- Int32(date.isoWeekday - 1)))
    case .day, .dow, .isodow, .doy: return Instant(date)
    case .hour: return cut(3_600_000_000)
    case .minute: return cut(60_000_000)
    case .second, .epoch: return cut(1_000_000)
    case .millisecond: return cut(1000)
    case .microsecond: return time
    }
  }

  private static func floor(_ a: Int64, _ b: Int64) -> Int64 {
    let quotient = a / b
    return a % b < 0 ? quotient - 1 : quotient
  }
}
