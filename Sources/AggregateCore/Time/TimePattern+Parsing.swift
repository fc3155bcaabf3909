extension TimePattern {
  /// The reading of `bytes`, all of which the pattern must match; nil when it does not.
  public func parse(_ bytes: UnsafeRawBufferPointer) -> InstantReading? {
    var state = Reading()
    var cursor = 0
    for item in items {
      switch item {
      case .literal(let wanted):
        for byte in wanted {
          if byte == 0x20 {
            // As in C, white space in the pattern matches any amount of it.
            while cursor < bytes.count, bytes[cursor] == 0x20 { cursor += 1 }
            continue
          }
          guard cursor < bytes.count, bytes[cursor] == byte else { return nil }
          cursor += 1
        }
      case .field(let field, _):
        guard state.take(field, bytes, &cursor) else { return nil }
      }
    }
    return cursor == bytes.count ? state.result : nil
  }

  /// The reading of `text`, all of which the pattern must match; nil when it does not.
  public func parse(_ text: String) -> InstantReading? {
    var text = text
    return text.withUTF8 { parse(UnsafeRawBufferPointer($0)) }
  }

  /// What has been read so far.
  private struct Reading {
    var year: Int?
    var month: Int?
    var day: Int?
    var dayOfYear: Int?
    var isoYear: Int?
    var isoWeek: Int?
    var isoWeekday: Int?
    var hour = 0
    var isAfternoon: Bool?
    var minute = 0
    var second = 0
    var micros = 0
    var offset: Int?
    var epoch: Int64?
    var hasTime = false

    mutating func take(
      _ field: UInt8, _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int
    ) -> Bool {
      switch field {
      case UInt8(ascii: "Y"): return number(4, 0...9999, bytes, &cursor, &year)
      case UInt8(ascii: "y"):
        var short: Int?
        guard number(2, 0...99, bytes, &cursor, &short), let short else { return false }
        year = TimeGrammar.fullYear(short, pivot: 69)
        return true
      case UInt8(ascii: "m"): return number(2, 1...12, bytes, &cursor, &month)
      case UInt8(ascii: "b"), UInt8(ascii: "B"):
        month = TimeNames.match(TimeNames.months, bytes, &cursor).map { $0 + 1 }
        return month != nil
      case UInt8(ascii: "d"): return number(2, 1...31, bytes, &cursor, &day)
      case UInt8(ascii: "e"):
        if cursor < bytes.count, bytes[cursor] == 0x20 { cursor += 1 }
        return number(2, 1...31, bytes, &cursor, &day)
      case UInt8(ascii: "j"): return number(3, 1...366, bytes, &cursor, &dayOfYear)
      case UInt8(ascii: "a"), UInt8(ascii: "A"):
        return TimeNames.match(TimeNames.days, bytes, &cursor) != nil
      case UInt8(ascii: "w"):
        var ignored: Int?
        return number(1, 0...6, bytes, &cursor, &ignored)
      case UInt8(ascii: "u"): return number(1, 1...7, bytes, &cursor, &isoWeekday)
      case UInt8(ascii: "U"), UInt8(ascii: "W"):
        var ignored: Int?
        return number(2, 0...53, bytes, &cursor, &ignored)
      case UInt8(ascii: "G"): return number(4, 0...9999, bytes, &cursor, &isoYear)
      case UInt8(ascii: "V"): return number(2, 1...53, bytes, &cursor, &isoWeek)
      default: return takeTime(field, bytes, &cursor)
      }
    }

    private mutating func takeTime(
      _ field: UInt8, _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int
    ) -> Bool {
      hasTime = true
      var value: Int?
      switch field {
      case UInt8(ascii: "H"):
        guard number(2, 0...24, bytes, &cursor, &value), let value else { return false }
        hour = value
      case UInt8(ascii: "I"):
        guard number(2, 1...12, bytes, &cursor, &value), let value else { return false }
        hour = value % 12
      case UInt8(ascii: "p"):
        guard cursor + 2 <= bytes.count, bytes[cursor + 1] | 0x20 == UInt8(ascii: "m")
        else { return false }
        switch bytes[cursor] | 0x20 {
        case UInt8(ascii: "a"): isAfternoon = false
        case UInt8(ascii: "p"): isAfternoon = true
        default: return false
        }
        cursor += 2
      case UInt8(ascii: "M"):
        guard number(2, 0...59, bytes, &cursor, &value), let value else { return false }
        minute = value
      case UInt8(ascii: "S"):
        guard number(2, 0...60, bytes, &cursor, &value), let value else { return false }
        second = value
      case UInt8(ascii: "f"), UInt8(ascii: "g"), UInt8(ascii: "n"):
        return fraction(bytes, &cursor)
      case UInt8(ascii: "z"):
        offset = TimeGrammar.offset(bytes, &cursor)
        return offset != nil
      case UInt8(ascii: "Z"):
        let start = cursor
        while cursor < bytes.count, bytes[cursor] > 0x20 { cursor += 1 }
        let name = String(
          decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<cursor]), as: UTF8.self)
        guard let zone = TimeZoneRules.named(name) else { return false }
        // The offset depends on the date, which may still come.
        self.zone = zone
      default:
        let start = cursor
        if cursor < bytes.count, bytes[cursor] == UInt8(ascii: "-") { cursor += 1 }
        while cursor < bytes.count, NumberText.isDigit(bytes[cursor]) { cursor += 1 }
        epoch = NumberText.int64(UnsafeRawBufferPointer(rebasing: bytes[start..<cursor]))
        return epoch != nil
      }
      return true
    }

    var zone: TimeZoneRules?

    private func number(
      _ width: Int, _ range: ClosedRange<Int>, _ bytes: UnsafeRawBufferPointer,
      _ cursor: inout Int, _ result: inout Int?
    ) -> Bool {
      var value = 0
      var count = 0
      while count < width, cursor < bytes.count, NumberText.isDigit(bytes[cursor]) {
        value = value * 10 + Int(bytes[cursor] &- 48)
        cursor += 1
        count += 1
      }
      result = value
      return count > 0 && range.contains(value)
    }

    /// Digits behind a point; shorter ones are filled with zeros on the right, nine are cut.
    private mutating func fraction(
      _ bytes: UnsafeRawBufferPointer, _ cursor: inout Int
    ) -> Bool {
      let start = cursor
      micros = Int(TimeGrammar.microseconds(bytes, &cursor, most: 9))
      return cursor > start
    }

    var result: InstantReading? {
      if let epoch {
        let (micros, overflow) = epoch.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? nil : InstantReading(local: micros, offset: 0)
      }
      guard let days else { return nil }
      var hour = hour
      if let isAfternoon { hour = hour % 12 + (isAfternoon ? 12 : 0) }
      if hour == 24, minute > 0 || second > 0 || micros > 0 { return nil }
      let time = Int64((hour * 3600 + minute * 60 + second)) * 1_000_000 + Int64(micros)
      let local = Int64(days) * 86_400_000_000 + time
      if let zone, let instant = zone.instant(local: local) {
        return InstantReading(local: local, offset: zone.offset(at: instant))
      }
      return InstantReading(local: local, offset: offset, isDateOnly: !hasTime)
    }

    private var days: Int? {
      if let isoYear, let isoWeek {
        return CalendarDate.daysFromWeek(isoYear, isoWeek, isoWeekday ?? 1)
      }
      let year = year ?? 1900
      if let dayOfYear {
        guard dayOfYear <= 365 || CalendarDate.days(inMonth: 2, year: year) == 29 else {
          return nil
        }
        return CalendarDate.daysFromCivil(year, 1, 1) + dayOfYear - 1
      }
      let month = month ?? 1
      let day = day ?? 1
      guard TimeGrammar.isDate(year, month, day) else { return nil }
      return CalendarDate.daysFromCivil(year, month, day)
    }
  }
}
