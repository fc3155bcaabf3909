/// The parts of a clock's reading, and how each is written.
struct TimeFields {
  let year: Int
  let month: Int
  let day: Int
  let date: CalendarDate
  let hour: Int
  let minute: Int
  let second: Int
  let micros: Int

  /// Takes the clock's reading as if it were UTC.
  init(_ local: Instant) {
    date = local.date
    (year, month, day) = date.components
    let time = Int(local.microsecondsOfDay)
    hour = time / 3_600_000_000
    minute = time / 60_000_000 % 60
    second = time / 1_000_000 % 60
    micros = time % 1_000_000
  }

  func append(
    _ field: UInt8, isPadded: Bool, _ instant: Instant, _ zone: TimeZoneRules,
    to out: inout ByteBuilder
  ) {
    func number(_ value: Int, _ width: Int) {
      out.append(CalendarDate.padded(value, isPadded ? width : 1))
    }
    switch field {
    case UInt8(ascii: "Y"): number(year, 4)
    case UInt8(ascii: "y"): number(abs(year) % 100, 2)
    case UInt8(ascii: "m"): number(month, 2)
    case UInt8(ascii: "b"): out.append(String(TimeNames.months[month - 1].prefix(3)))
    case UInt8(ascii: "B"): out.append(TimeNames.months[month - 1])
    case UInt8(ascii: "d"): number(day, 2)
    case UInt8(ascii: "e"): out.append((day < 10 && isPadded ? " " : "") + String(day))
    case UInt8(ascii: "j"): number(date.dayOfYear, 3)
    case UInt8(ascii: "a"): out.append(String(TimeNames.days[date.weekday].prefix(3)))
    case UInt8(ascii: "A"): out.append(TimeNames.days[date.weekday])
    case UInt8(ascii: "w"): number(date.weekday, 1)
    case UInt8(ascii: "u"): number(date.isoWeekday, 1)
    case UInt8(ascii: "H"): number(hour, 2)
    case UInt8(ascii: "I"): number(hour % 12 == 0 ? 12 : hour % 12, 2)
    case UInt8(ascii: "p"): out.append(hour < 12 ? "AM" : "PM")
    case UInt8(ascii: "M"): number(minute, 2)
    case UInt8(ascii: "S"): number(second, 2)
    case UInt8(ascii: "f"): number(micros, 6)
    case UInt8(ascii: "g"): number(micros / 1000, 3)
    case UInt8(ascii: "n"): number(micros * 1000, 9)
    case UInt8(ascii: "z"): out.append(Self.offsetText(zone.offset(at: instant)))
    case UInt8(ascii: "Z"): out.append(zone.name)
    case UInt8(ascii: "U"): number((date.dayOfYear + 6 - date.weekday) / 7, 2)
    case UInt8(ascii: "W"): number((date.dayOfYear + 7 - date.isoWeekday) / 7, 2)
    case UInt8(ascii: "G"): number(date.isoWeek.year, 4)
    case UInt8(ascii: "V"): number(date.isoWeek.week, 2)
    default: out.append(String(Instant.floorDivide(instant.microseconds, 1_000_000)))
    }
  }

  private static func offsetText(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let text = (seconds < 0 ? "-" : "+") + CalendarDate.padded(minutes / 60, 2)
    return minutes % 60 == 0 ? text : text + ":" + CalendarDate.padded(minutes % 60, 2)
  }
}

extension CalendarDate {
  /// Days since 1970 of a day (Monday being 1) of an ISO 8601 week, which may go beyond its year.
  static func daysFromWeek(_ year: Int, _ week: Int, _ weekday: Int) -> Int {
    // The first week is that of 4 January.
    let fourth = CalendarDate(days: Int32(daysFromCivil(year, 1, 4)))
    return Int(fourth.days) - (fourth.isoWeekday - 1) + (week - 1) * 7 + (weekday - 1)
  }

  /// The day of the year, 1…366.
  public var dayOfYear: Int {
    Int(days) - Self.daysFromCivil(components.year, 1, 1) + 1
  }

  /// The day of the week, Sunday being 0.
  public var weekday: Int { ((Int(days) + 4) % 7 + 7) % 7 }

  /// The day of the week, Monday being 1 and Sunday 7.
  public var isoWeekday: Int { weekday == 0 ? 7 : weekday }

  /// The ISO 8601 week and the year that the week belongs to.
  public var isoWeek: (year: Int, week: Int) {
    // The week belongs to the year of its Thursday.
    let thursday = CalendarDate(days: days &+ Int32(4 - isoWeekday))
    return (thursday.components.year, (thursday.dayOfYear - 1) / 7 + 1)
  }
}
