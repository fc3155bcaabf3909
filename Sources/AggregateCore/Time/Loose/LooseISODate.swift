/// ISO 8601 as feeds use it: year, month and day in part or whole, basic or extended, with a time.
enum LooseISODate {
  /// The instant of a text that begins with digits or, for the truncated forms, with `-`.
  static func parse(_ text: String) -> Instant? {
    var parts = DateParts()
    let datePart: Substring
    var timePart: Substring?
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    if let clock = run(digits) {
      datePart = digits.prefix(8)
      timePart = clock + text[digits.endIndex...]
    } else if let mark = text.firstIndex(where: { $0 == "T" || $0 == "t" || $0 == " " }) {
      datePart = text[..<mark]
      timePart = text[text.index(after: mark)...]
    } else {
      datePart = text[...]
    }
    if timePart == nil, let instant = epoch(datePart) { return instant }
    guard readDate(datePart, into: &parts) else { return nil }
    if let timePart, !readClock(timePart, into: &parts) { return nil }
    return parts.instant
  }

  /// The time of day in `20240101100000` and `202401011000`.
  private static func run(_ digits: Substring) -> Substring? {
    guard [12, 14].contains(digits.utf8.count), let year = Int(digits.prefix(4)),
      digits.utf8.count == 14 || (1900...2199).contains(year)
    else { return nil }
    return digits.dropFirst(8)
  }

  /// Seconds (10 digits) or milliseconds (13 digits) since 1970.
  private static func epoch(_ text: Substring) -> Instant? {
    guard text.utf8.allSatisfy(NumberText.isDigit), let value = Int64(text) else { return nil }
    switch text.utf8.count {
    case 10: return Instant(seconds: value)
    case 13: return Instant(microseconds: value * 1000)
    default: return nil
    }
  }

  private static func readDate(_ text: Substring, into parts: inout DateParts) -> Bool {
    let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
    func number(_ piece: Substring) -> Int? {
      piece.utf8.allSatisfy(NumberText.isDigit) ? Int(piece) : nil
    }
    if let week = week(pieces, number) {
      return set(&parts, year: week.year, month: week.month, day: week.day)
    }
    switch pieces.map(\.utf8.count) {
    case [4]: return set(&parts, year: number(pieces[0]))
    case [5]:
      // Five digits that do not begin with 0 are likelier a count of days, as spreadsheets have.
      guard pieces[0].hasPrefix("0"), let value = number(pieces[0]) else { return false }
      return setOrdinal(&parts, year: DateParts.century(value / 1000), day: value % 1000)
    case [6]:
      guard let value = number(pieces[0]) else { return false }
      return set(
        &parts, year: DateParts.century(value / 10_000), month: value / 100 % 100, day: value % 100)
    case [7]:
      guard let value = number(pieces[0]) else { return false }
      return setOrdinal(&parts, year: value / 1000, day: value % 1000)
    case [8]:
      guard let value = number(pieces[0]) else { return false }
      return set(&parts, year: value / 10_000, month: value / 100 % 100, day: value % 100)
    case [0, 2]: return set(&parts, year: number(pieces[1]).map(DateParts.century))
    case [2, 3]:
      return setOrdinal(
        &parts, year: number(pieces[0]).map(DateParts.century), day: number(pieces[1]))
    case [0, 4]:
      guard let value = number(pieces[1]) else { return false }
      return set(&parts, year: DateParts.century(value / 100), month: value % 100)
    case [0, 2, 2]:
      return set(&parts, year: number(pieces[1]).map(DateParts.century), month: number(pieces[2]))
    case [4, 1], [4, 2]: return set(&parts, year: number(pieces[0]), month: number(pieces[1]))
    case [4, 3]: return setOrdinal(&parts, year: number(pieces[0]), day: number(pieces[1]))
    case [2, 2, 2]:
      return set(
        &parts, year: number(pieces[0]).map(DateParts.century), month: number(pieces[1]),
        day: number(pieces[2]))
    case [4, 1, 1], [4, 1, 2], [4, 2, 1], [4, 2, 2], [4, 3, 2]:
      return set(
        &parts, year: number(pieces[0]), month: number(pieces[1]), day: number(pieces[2]))
    default: return false
    }
  }

  /// The day of `2004-W21-2`, `2004W212` and, on a Monday, `2004-W21`.
  private static func week(
    _ pieces: [Substring], _ number: (Substring) -> Int?
  ) -> (year: Int, month: Int, day: Int)? {
    let text = pieces.joined()
    let digits = text.dropFirst(5)
    guard text.dropFirst(4).first.map({ $0 == "W" || $0 == "w" }) ?? false,
      (2...3).contains(digits.utf8.count), let year = number(text.prefix(4)),
      let week = number(digits.prefix(2)), (1...53).contains(week)
    else { return nil }
    let day = digits.utf8.count == 2 ? 1 : number(digits.suffix(1)) ?? 0
    guard (1...7).contains(day) else { return nil }
    let date = CalendarDate(days: Int32(CalendarDate.daysFromWeek(year, week, day)))
    return date.isoWeek.year == year ? date.components : nil
  }

  private static func set(
    _ parts: inout DateParts, year: Int?, month: Int? = 1, day: Int? = 1
  ) -> Bool {
    guard let year, let month, let day else { return false }
    (parts.year, parts.month, parts.day) = (year, month, day)
    return true
  }

  private static func setOrdinal(_ parts: inout DateParts, year: Int?, day: Int?) -> Bool {
    guard let year, let day, (1...366).contains(day),
      let first = CalendarDate(year: year, month: 1, day: 1)
    else { return false }
    let date = CalendarDate(days: first.days + Int32(day - 1)).components
    if date.year != year { return false }
    return set(&parts, year: year, month: date.month, day: date.day)
  }

  private static func readClock(_ text: Substring, into parts: inout DateParts) -> Bool {
    var rest = text.drop { $0 == " " }
    let clock = rest.prefix { $0.isNumber || $0 == ":" || $0 == "." || $0 == "," }
    rest = rest[clock.endIndex...].drop { $0 == " " }
    guard
      parts.readTime(extended(clock)) || readHour(clock, into: &parts)
        || parts.readTime(DateParts.withColons(clock))
    else { return false }
    if rest.isEmpty { return true }
    if parts.readOffset(rest) || parts.readZone(rest) { return true }
    guard let zone = ZoneNames.offset(of: String(rest)) else { return false }
    parts.offset = zone
    return true
  }

  /// `hhmm` and `hhmmss` with colons.
  private static func extended(_ clock: Substring) -> Substring {
    let digits = clock.prefix { $0.isNumber }
    guard digits.utf8.count == 4 || digits.utf8.count == 6 else { return clock }
    var out = ""
    for (i, digit) in digits.enumerated() {
      if i > 0 && i % 2 == 0 { out += ":" }
      out.append(digit)
    }
    return (out + clock[digits.endIndex...])[...]
  }

  private static func readHour(_ clock: Substring, into parts: inout DateParts) -> Bool {
    guard clock.utf8.count == 2, let hour = Int(clock) else { return false }
    parts.hour = hour
    return true
  }
}
