internal import AggregateCore

/// Rows of a sheet as XML.
struct XLSXCells {
  /// How many characters a cell may have, as Excel counts them (UTF-16).
  private static let mostCharacters = 32_767
  /// How many digits Excel keeps.
  private static let mostDigits = 15

  private let columns: [ColumnSpec]
  /// The letters of each column: A … Z, AA ….
  private let letters: [String]

  init(_ columns: [ColumnSpec]) {
    self.columns = columns
    letters = columns.indices.map(Self.letters)
  }

  /// The letters of the column `index`, counted from 0.
  static func letters(_ index: Int) -> String {
    var letters: [Character] = []
    var number = index + 1
    while number > 0 {
      letters.append(Character(Unicode.Scalar(UInt8(65 + (number - 1) % 26))))
      number = (number - 1) / 26
    }
    return String(letters.reversed())
  }

  /// Appends the row of the names.
  func header(into out: inout ByteBuilder) throws {
    out.append(literal: "<row r=\"1\">")
    for (index, column) in columns.enumerated() {
      var name = column.name
      try name.withUTF8 {
        try text(UnsafeRawBufferPointer($0), index, 1, style: XLSXParts.headerStyle, into: &out)
      }
    }
    out.append(literal: "</row>")
  }

  /// Appends a row.
  ///
  /// - Throws: ``AggregateError`` with code `limit` for too long a text.
  func append(
    _ values: [SpanColumn], _ row: Int, number: Int, into out: inout ByteBuilder
  ) throws {
    out.append(literal: "<row r=\"")
    out.append(decimal: Int64(number))
    out.append(literal: "\">")
    for (index, spans) in values.enumerated() {
      let cell = spans.cells[row]
      try spans.buffer.withUnsafeBytes { bytes in
        let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
        switch cell.kind {
        case .absent, .null: break
        case .integer, .real: try self.number(text, index, number, into: &out)
        case .true, .false:
          start(index, number, style: 0, type: "b", into: &out)
          out.append(literal: "<v>")
          out.append(UInt8(ascii: cell.kind == .true ? "1" : "0"))
          out.append(literal: "</v></c>")
        case .text, .escapedText, .object, .array:
          if !time(text, index, number, into: &out) {
            try self.text(text, index, number, style: 0, into: &out)
          }
        }
      }
    }
    out.append(literal: "</row>")
  }

  private func start(
    _ column: Int, _ row: Int, style: Int, type: StaticString?, into out: inout ByteBuilder
  ) {
    out.append(literal: "<c r=\"")
    out.append(letters[column])
    out.append(decimal: Int64(row))
    if style > 0 {
      out.append(literal: "\" s=\"")
      out.append(decimal: Int64(style))
    }
    if let type {
      out.append(literal: "\" t=\"")
      out.append(literal: type)
    }
    out.append(literal: "\">")
  }

  /// A number as it was written, or as text when Excel would change it.
  private func number(
    _ text: UnsafeRawBufferPointer, _ column: Int, _ row: Int, into out: inout ByteBuilder
  ) throws {
    var digits = 0
    var hasExponent = false
    for byte in text {
      if byte | 0x20 == UInt8(ascii: "e") {
        hasExponent = true
        break
      }
      if (48...57).contains(byte), digits > 0 || byte != 48 { digits += 1 }
    }
    // The exponents that Excel has end where those of doubles do, or a little before.
    let magnitude =
      hasExponent ? Double(String(decoding: text, as: UTF8.self))?.magnitude ?? .infinity : 1
    guard digits <= Self.mostDigits, digits == 0 || magnitude < 1e308 && magnitude > 1e-307 else {
      return try self.text(text, column, row, style: 0, into: &out)
    }
    start(column, row, style: 0, type: nil, into: &out)
    out.append(literal: "<v>")
    out.append(text)
    out.append(literal: "</v></c>")
  }

  /// A date or a time of a column that has such, as the days since the end of 1899; false when it is none.
  private func time(
    _ text: UnsafeRawBufferPointer, _ column: Int, _ row: Int, into out: inout ByteBuilder
  ) -> Bool {
    let type = columns[column].type
    guard type == .date || type == .instant else { return false }
    let written = String(decoding: text, as: UTF8.self)
    let days: Int
    var fraction = ""
    var style = XLSXParts.dateStyle
    if type == .date {
      guard let date = CalendarDate(iso8601: written) else { return false }
      days = Int(date.days) + 25_569
    } else {
      // Finer than a millisecond, a number of days has no room for it.
      guard let instant = Instant(iso8601: written), instant.microseconds % 1000 == 0 else {
        return false
      }
      days = Int(instant.date.days) + 25_569
      let part = instant.microsecondsOfDay
      style = part % 1_000_000 == 0 ? XLSXParts.timeStyle : XLSXParts.fractionStyle
      // Eleven digits are a millionth of a second.
      let digits = String((Double(part) / 86_400_000_000 * 1e11).rounded().exactInt)
      fraction = "." + String(repeating: "0", count: max(0, 11 - digits.count)) + digits
    }
    // Excel takes 1900 for a leap year: before its March, days have other numbers. The last is 9999-12-31.
    guard (61...2_958_465).contains(days) else { return false }
    start(column, row, style: style, type: nil, into: &out)
    out.append(literal: "<v>")
    out.append(decimal: Int64(days))
    out.append(fraction)
    out.append(literal: "</v></c>")
    return true
  }

  private func text(
    _ text: UnsafeRawBufferPointer, _ column: Int, _ row: Int, style: Int,
    into out: inout ByteBuilder
  ) throws {
    if text.count > Self.mostCharacters,
      String(decoding: text, as: UTF8.self).utf16.count > Self.mostCharacters
    {
      throw AggregateError(
        .limit,
        "the column “\(columns[column].name)” has a text of more than \(Self.mostCharacters)"
          + " characters in row \(row), which a cell of Excel can't hold",
        hint: "set it to left(…, \(Self.mostCharacters)), or write csv")
    }
    start(column, row, style: style, type: "inlineStr", into: &out)
    out.append(literal: "<is><t xml:space=\"preserve\">")
    Self.escape(text, into: &out)
    out.append(literal: "</t></is></c>")
  }

  /// Text for XML, as an attribute too.
  static func escaped(_ text: String) -> String {
    var out = ByteBuilder()
    var text = text
    text.withUTF8 { escape(UnsafeRawBufferPointer($0), into: &out) }
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends text; characters that XML has not are written `_x0001_`, as Excel does.
  private static func escape(_ text: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var start = 0
    func flush(_ end: Int, _ out: inout ByteBuilder) {
      out.append(UnsafeRawBufferPointer(rebasing: text[start..<end]))
      start = end + 1
    }
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "&"):
        flush(index, &out)
        out.append(literal: "&amp;")
      case UInt8(ascii: "<"):
        flush(index, &out)
        out.append(literal: "&lt;")
      case UInt8(ascii: ">"):
        flush(index, &out)
        out.append(literal: "&gt;")
      case UInt8(ascii: "\""):
        flush(index, &out)
        out.append(literal: "&quot;")
      case UInt8(ascii: "_") where isEscape(text, index):
        flush(index, &out)
        out.append(literal: "_x005F_")
      case 9, 10: break
      case let byte where byte < 32:
        flush(index, &out)
        let digits = String(byte, radix: 16, uppercase: true)
        out.append("_x" + String(repeating: "0", count: 4 - digits.count) + digits + "_")
      // U+FFFE and U+FFFF, which XML has not either.
      case 0xEF where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
        flush(index, &out)
        out.append(text[index + 2] == 0xBE ? "_xFFFE_" : "_xFFFF_")
        start = index + 3
      default: break
      }
    }
    if start < text.count { flush(text.count, &out) }
  }

  /// Whether the text at `index` would be read as such a character: `_x0041_`.
  private static func isEscape(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    guard index + 6 < text.count, text[index + 1] | 0x20 == UInt8(ascii: "x"),
      text[index + 6] == UInt8(ascii: "_")
    else { return false }
    return text[index + 2..<index + 6].allSatisfy { byte in
      (48...57).contains(byte) || (97...102).contains(byte | 0x20)
    }
  }
}

extension Double {
  /// The whole number that this is.
  fileprivate var exactInt: Int64 { Int64(exactly: self) ?? 0 }
}
