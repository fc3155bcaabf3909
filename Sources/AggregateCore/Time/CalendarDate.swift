/// A calendar date (proleptic Gregorian), stored as days since 1970-01-01.
public struct CalendarDate: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Days since 1970-01-01.
  public let days: Int32

  /// Creates a date from days since 1970-01-01.
  public init(days: Int32) { self.days = days }

  /// Creates a date from year, month (1…12) and day; nil when there is no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year),
      (-200_000...200_000).contains(year)
    else { return nil }
    days = Int32(Self.daysFromCivil(year, month, day))
  }

  /// Creates a date from `YYYY-MM-DD`; nil when it is not exactly that.
  public init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.digits(bytes[0..<4]), let month = Self.digits(bytes[5..<7]),
      let day = Self.digits(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Year, month and day.
  public var components: (year: Int, month: Int, day: Int) {
    let z = Int(days) + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// `YYYY-MM-DD`.
  public var iso8601: String {
    let (year, month, day) = components
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  /// Earlier dates come first.
  public static func < (lhs: CalendarDate, rhs: CalendarDate) -> Bool { lhs.days < rhs.days }

  /// The number of days of a month.
  public static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value.magnitude)
    return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count))
      + digits
  }

  static func digits(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for byte in bytes {
      guard NumberText.isDigit(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    return bytes.isEmpty ? nil : value
  }
}
