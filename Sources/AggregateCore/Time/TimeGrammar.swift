/// The pieces of which all notations of times are made: digits, times of day, fractions, offsets, years.
///
/// Each reads `bytes` from `cursor` on and moves behind what it took; where it gives nil, `cursor` means
/// nothing. What is loose takes what people and feeds write beside the standards.
enum TimeGrammar {
  static let microsecondsPerDay: Int64 = 86_400_000_000

  /// The value of `count` digits from `start` on.
  @inline(__always)
  static func digits(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var value = 0
    for i in start..<start + count {
      let digit = bytes[i] &- 48
      guard digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// Two digits; one is enough when it is loose.
  @inline(__always)
  static func pair(
    _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int, isLoose: Bool = false
  ) -> Int? {
    if let value = digits(bytes, cursor, 2) {
      cursor += 2
      return value
    }
    guard isLoose, let value = digits(bytes, cursor, 1) else { return nil }
    cursor += 1
    return value
  }

  /// Whether there is such a day.
  @inline(__always)
  static func isDate(_ year: Int, _ month: Int, _ day: Int) -> Bool {
    month >= 1 && month <= 12 && day >= 1
      && (day <= 28 || day <= CalendarDate.days(inMonth: month, year: year))
  }

  /// `HH:MM[:SS[.fraction]]` in microseconds; loose also `H:M[:S]` and a fraction of the minute's form.
  @inline(__always)
  static func clock(
    _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int, isLoose: Bool = false
  ) -> Int64? {
    guard let hour = pair(bytes, &cursor, isLoose: isLoose), hour <= 24, cursor < bytes.count,
      bytes[cursor] == UInt8(ascii: ":")
    else { return nil }
    cursor += 1
    guard let minute = pair(bytes, &cursor, isLoose: isLoose), minute < 60 else { return nil }
    var second = 0
    var micros: Int64 = 0
    if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ":") {
      cursor += 1
      guard let found = pair(bytes, &cursor, isLoose: isLoose), found <= 60 else { return nil }
      second = found
      micros = fraction(bytes, &cursor, most: isLoose ? .max : 9)
    } else if isLoose {
      micros = fraction(bytes, &cursor, most: .max)
    }
    if hour == 24, minute != 0 || second != 0 || micros != 0 { return nil }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000 + micros
  }

  /// `.` or `,` and up to `most` digits, cut to microseconds; 0 when there is none.
  static func fraction(
    _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int, most: Int = 9
  ) -> Int64 {
    guard cursor + 1 < bytes.count,
      bytes[cursor] == UInt8(ascii: ".") || bytes[cursor] == UInt8(ascii: ","),
      NumberText.isDigit(bytes[cursor + 1])
    else { return 0 }
    cursor += 1
    return microseconds(bytes, &cursor, most: most)
  }

  /// Up to `most` digits behind a point, cut to microseconds or filled up with zeros.
  static func microseconds(
    _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int, most: Int
  ) -> Int64 {
    var micros: Int64 = 0
    var places = 0
    while cursor < bytes.count, places < most, NumberText.isDigit(bytes[cursor]) {
      if places < 6 { micros = micros * 10 + Int64(bytes[cursor] &- 48) }
      places += 1
      cursor += 1
    }
    while places < 6 {
      micros *= 10
      places += 1
    }
    return micros
  }

  /// `Z`, `+02:00`, `+0200`, `+02` in seconds.
  static func offset(_ bytes: UnsafeRawBufferPointer, _ cursor: inout Int) -> Int? {
    guard cursor < bytes.count else { return nil }
    let sign = bytes[cursor]
    if sign | 0x20 == UInt8(ascii: "z") {
      cursor += 1
      return 0
    }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let hours = digits(bytes, cursor + 1, 2), hours <= 24
    else { return nil }
    cursor += 3
    var minutes = 0
    let hasColon = cursor < bytes.count && bytes[cursor] == UInt8(ascii: ":")
    if let found = digits(bytes, hasColon ? cursor + 1 : cursor, 2) {
      guard found < 60 else { return nil }
      minutes = found
      cursor += hasColon ? 3 : 2
    } else if hasColon {
      return nil
    }
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  /// An offset that may lack the zero of its hours or minutes: `+1`, `+100`, `-5:30`; in seconds.
  static func looseOffset(_ bytes: UnsafeRawBufferPointer, _ cursor: inout Int) -> Int? {
    guard cursor < bytes.count else { return nil }
    let sign = bytes[cursor]
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return offset(bytes, &cursor)
    }
    var end = cursor + 1
    while end < bytes.count, end < cursor + 5, NumberText.isDigit(bytes[end]) { end += 1 }
    let count = end - cursor - 1
    guard count > 0, let value = digits(bytes, cursor + 1, count) else { return nil }
    var (hours, minutes) = count > 2 ? (value / 100, value % 100) : (value, 0)
    cursor = end
    if cursor < bytes.count, bytes[cursor] == UInt8(ascii: ":") {
      cursor += 1
      guard count <= 2, let found = pair(bytes, &cursor, isLoose: true) else { return nil }
      minutes = found
    }
    // No clock on Earth is further from UTC.
    guard minutes < 60, hours < 19 else { return nil }
    if sign == UInt8(ascii: "-") { (hours, minutes) = (-hours, -minutes) }
    return hours * 3600 + minutes * 60
  }

  /// The year that two digits mean: of this century below `pivot`, which each notation has its own of.
  static func fullYear(_ short: Int, pivot: Int) -> Int {
    short < pivot ? 2000 + short : 1900 + short
  }
}
