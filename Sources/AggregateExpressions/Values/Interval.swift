import AggregateCore

/// A span of time in months, days and microseconds, which do not convert into each other.
struct Interval: Sendable, Hashable, CustomStringConvertible {
  var months: Int64 = 0
  var days: Int64 = 0
  var micros: Int64 = 0

  init(months: Int64 = 0, days: Int64 = 0, micros: Int64 = 0) {
    self.months = months
    self.days = days
    self.micros = micros
  }

  /// `amount` of a unit such as `day` or `hours`; nil for another word or when too large.
  init?(_ amount: Double, unit: String) {
    var name = unit.lowercased()
    if name.hasSuffix("s"), name.count > 1 { name.removeLast() }
    guard amount.magnitude < 1e12 else { return nil }
    func whole(_ factor: Double) -> Int64 { Int64((amount * factor).rounded(.towardZero)) }
    switch name {
    case "microsecond", "us": micros = whole(1)
    case "millisecond", "ms", "m": micros = name == "m" ? 0 : whole(1000)
    case "second", "sec", "": micros = whole(1e6)
    case "minute", "min": micros = whole(6e7)
    case "hour", "h", "hr":
      guard amount.magnitude < 1e9 else { return nil }
      micros = whole(3.6e9)
    case "day", "d": days = whole(1)
    case "week", "w": days = whole(7)
    case "month", "mon": months = whole(1)
    case "quarter": months = whole(3)
    case "year", "y": months = whole(12)
    case "decade": months = whole(120)
    case "century", "centurie": months = whole(1200)
    default: return nil
    }
    if name == "m" { return nil }
  }

  /// Numbers each with a unit: `1 hour 30 minutes`.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard !words.isEmpty, words.count % 2 == 0 else { return nil }
    for i in stride(from: 0, to: words.count, by: 2) {
      guard let amount = Double(words[i]), let part = Interval(amount, unit: words[i + 1])
      else { return nil }
      guard let sum = Interval.sum(self, part) else { return nil }
      self = sum
    }
  }

  static func sum(_ a: Interval, _ b: Interval) -> Interval? {
    let months = a.months.addingReportingOverflow(b.months)
    let days = a.days.addingReportingOverflow(b.days)
    let micros = a.micros.addingReportingOverflow(b.micros)
    if months.overflow || days.overflow || micros.overflow { return nil }
    return Interval(
      months: months.partialValue, days: days.partialValue, micros: micros.partialValue)
  }

  var negated: Interval { Interval(months: 0 &- months, days: 0 &- days, micros: 0 &- micros) }

  func scaled(_ factor: Int64) -> Interval? {
    let months = months.multipliedReportingOverflow(by: factor)
    let days = days.multipliedReportingOverflow(by: factor)
    let micros = micros.multipliedReportingOverflow(by: factor)
    if months.overflow || days.overflow || micros.overflow { return nil }
    return Interval(
      months: months.partialValue, days: days.partialValue, micros: micros.partialValue)
  }

  /// The length in microseconds, a month being 30 days.
  var approximateMicros: Double {
    (Double(months) * 30 + Double(days)) * 86_400_000_000 + Double(micros)
  }

  /// `instant` moved on by this; days of the month are cut to what the month has. Nil out of range.
  func added(to instant: Instant) -> Instant? {
    var date = instant.date
    if months != 0 {
      let (year, month, day) = date.components
      let (total, overflow) = (Int64(year) * 12 + Int64(month) - 1).addingReportingOverflow(months)
      guard !overflow, total.magnitude < 2_400_000 else { return nil }
      let newYear = Int(total >= 0 ? total / 12 : (total - 11) / 12)
      let newMonth = Int(total) - newYear * 12 + 1
      let length = CalendarDate.days(inMonth: newMonth, year: newYear)
      guard let moved = CalendarDate(year: newYear, month: newMonth, day: min(day, length))
      else { return nil }
      date = moved
    }
    let (dayNumber, overflow) = Int64(date.days).addingReportingOverflow(days)
    guard !overflow, dayNumber.magnitude < 100_000_000 else { return nil }
    let base = dayNumber * 86_400_000_000 + instant.microsecondsOfDay
    let (value, overflow2) = base.addingReportingOverflow(micros)
    return overflow2 ? nil : Instant(microseconds: value)
  }

  var description: String {
    var parts: [String] = []
    func add(_ value: Int64, _ unit: String) {
      if value != 0 { parts.append("\(value) \(unit)\(value.magnitude == 1 ? "" : "s")") }
    }
    add(months / 12, "year")
    add(months % 12, "month")
    add(days, "day")
    if micros != 0 || parts.isEmpty {
      let time = micros.magnitude
      func two(_ value: UInt64) -> String { (value < 10 ? "0" : "") + String(value) }
      var text = micros < 0 ? "-" : ""
      text += two(time / 3_600_000_000) + ":" + two(time / 60_000_000 % 60) + ":"
      text += two(time / 1_000_000 % 60)
      if time % 1_000_000 != 0 {
        let digits = String(time % 1_000_000)
        text += "." + String(repeating: "0", count: 6 - digits.count) + digits
      }
      parts.append(text)
    }
    return parts.joined(separator: " ")
  }
}
