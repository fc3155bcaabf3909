/// A POSIX `TZ` rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`: how a zone goes on for ever.
struct PosixZone: Sendable {
  private struct Change {
    enum Day {
      case julian(Int)
      case dayOfYear(Int)
      case weekday(month: Int, week: Int, day: Int)
    }
    var day: Day
    var time: Int
  }

  private var standard: Int
  private var daylight: Int?
  private var start = Change(day: .weekday(month: 3, week: 2, day: 0), time: 7200)
  private var end = Change(day: .weekday(month: 11, week: 1, day: 0), time: 7200)

  /// Parses a rule; nil when it is not one.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard Self.takeName(&rest), let offset = Self.takeTime(&rest) else { return nil }
    standard = -offset
    if rest.isEmpty { return }
    guard Self.takeName(&rest) else { return nil }
    daylight = standard + 3600
    if let first = rest.first, first != UInt8(ascii: ",") {
      guard let offset = Self.takeTime(&rest) else { return nil }
      daylight = -offset
    }
    if rest.isEmpty { return }
    guard let start = Self.takeChange(&rest), let end = Self.takeChange(&rest), rest.isEmpty
    else { return nil }
    self.start = start
    self.end = end
  }

  /// The offset from UTC at a second since 1970.
  func offset(atSecond second: Int64) -> Int {
    guard let daylight else { return standard }
    let local = Instant.floorDivide(second + Int64(standard), 86_400)
    let year = CalendarDate(days: Int32(clamping: local)).components.year
    let begins = Self.second(start, year: year) - Int64(standard)
    let ends = Self.second(end, year: year) - Int64(daylight)
    let isDaylight =
      begins < ends ? second >= begins && second < ends : second >= begins || second < ends
    return isDaylight ? daylight : standard
  }

  private static func second(_ change: Change, year: Int) -> Int64 {
    let first = CalendarDate.daysFromCivil(year, 1, 1)
    let isLeap = CalendarDate.days(inMonth: 2, year: year) == 29
    let days: Int
    switch change.day {
    case .julian(let day): days = first + day - 1 + (isLeap && day >= 60 ? 1 : 0)
    case .dayOfYear(let day): days = first + day
    case .weekday(let month, let week, let day):
      let monthStart = CalendarDate.daysFromCivil(year, month, 1)
      let weekday = ((monthStart + 4) % 7 + 7) % 7
      var index = (day - weekday + 7) % 7 + (week - 1) * 7
      let length = CalendarDate.days(inMonth: month, year: year)
      while index >= length { index -= 7 }
      days = monthStart + index
    }
    return Int64(days) * 86_400 + Int64(change.time)
  }

  private static func takeName(_ rest: inout ArraySlice<UInt8>) -> Bool {
    if rest.first == UInt8(ascii: "<") {
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(close + 1)...]
      return true
    }
    let name = rest.prefix { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A }
    rest = rest.dropFirst(name.count)
    return name.count >= 3
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let digits = rest.prefix { NumberText.isDigit($0) }
    guard !digits.isEmpty, digits.count < 5 else { return nil }
    rest = rest.dropFirst(digits.count)
    return CalendarDate.digits(digits)
  }

  private static func take(_ byte: Character, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard let wanted = byte.asciiValue, rest.first == wanted else { return false }
    rest = rest.dropFirst()
    return true
  }

  private static func takeTime(_ rest: inout ArraySlice<UInt8>) -> Int? {
    let isNegative = take("-", &rest)
    if !isNegative { _ = take("+", &rest) }
    guard let hours = takeNumber(&rest) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] {
      guard take(":", &rest) else { break }
      guard let part = takeNumber(&rest) else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  private static func takeChange(_ rest: inout ArraySlice<UInt8>) -> Change? {
    guard take(",", &rest) else { return nil }
    let day: Change.Day
    if take("M", &rest) {
      guard let month = takeNumber(&rest), (1...12).contains(month), take(".", &rest),
        let week = takeNumber(&rest), (1...5).contains(week), take(".", &rest),
        let weekday = takeNumber(&rest), weekday < 7
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    } else if take("J", &rest) {
      guard let number = takeNumber(&rest) else { return nil }
      day = .julian(number)
    } else {
      guard let number = takeNumber(&rest) else { return nil }
      day = .dayOfYear(number)
    }
    var time = 7200
    if take("/", &rest) {
      guard let found = takeTime(&rest) else { return nil }
      time = found
    }
    return Change(day: day, time: time)
  }
}
