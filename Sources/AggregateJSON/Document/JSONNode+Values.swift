public import AggregateCore

extension JSONNode {
  /// Whether it is null.
  public var isNull: Bool { kind == .null }

  /// Its text, unescaped, when it is a string. A lone surrogate becomes U+FFFD.
  public var string: String? {
    let cell = cell
    return switch cell.kind {
    case .text: document.buffer.text(cell.range)
    case .escapedText: EscapedText.decoded(document.buffer, cell.range)
    default: nil
    }
  }

  /// Its value when it is true or false.
  public var bool: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// Its digits as they were sent, when it is a number.
  public var numberText: String? {
    kind.isNumber ? document.buffer.text(range) : nil
  }

  /// Its exact value when it is a whole number that fits; `12.0` and `1e3` are whole numbers.
  public var int64: Int64? {
    let cell = cell
    return document.buffer.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
      return switch cell.kind {
      case .integer: NumberText.int64(text)
      case .real: Self.wholeNumber(text)
      default: nil
      }
    }
  }

  /// Its nearest value when it is a number; nil when that would be infinite (`1e400`).
  public var double: Double? {
    guard kind.isNumber, let value = Double(document.buffer.text(range)), value.isFinite else {
      return nil
    }
    return value
  }

  /// It as a value on its own: numbers keep their digits, objects and arrays are JSON text.
  public var value: Value {
    switch kind {
    case .absent: .absent
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .integer, .real: .number(rawText)
    case .text, .escapedText: .text(string ?? "")
    case .object, .array: .json(minified)
    }
  }

  /// What it is, for messages: `the text "abc"`, `the number 1.5`, `an object with 3 members`.
  public var shown: String {
    switch kind {
    case .absent: "nothing"
    case .null: "null"
    case .true: "true"
    case .false: "false"
    case .integer, .real: "the number \(shortened)"
    case .text, .escapedText: "the text \(shortened)"
    case .object: "an object with \(count) \(count == 1 ? "member" : "members")"
    case .array: "a list with \(count) \(count == 1 ? "element" : "elements")"
    }
  }

  private var shortened: String {
    let range = outerRange
    if range.count <= 60 { return document.buffer.text(range) }
    return document.buffer.text(range.prefix(40)) + "…"
  }

  /// The exact value of a number in JSON's form with fraction or exponent, when it is whole and fits.
  private static func wholeNumber(_ text: UnsafeRawBufferPointer) -> Int64? {
    var digits: [UInt8] = []
    var scale = 0
    var isFraction = false
    var i = 0
    while i < text.count {
      let byte = text[i]
      if byte | 0x20 == UInt8(ascii: "e") { break }
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte != UInt8(ascii: "-") {
        if isFraction { scale -= 1 }
        if byte != 48 || !digits.isEmpty { digits.append(byte) }
      }
      i += 1
    }
    if digits.isEmpty { return 0 }
    if i < text.count {
      let exponent = String(decoding: text[(i + 1)...], as: UTF8.self)
      guard let exponent = Int(exponent), abs(exponent) < 1_000_000_000 else { return nil }
      scale += exponent
    }
    while scale < 0, digits.last == 48 {
      digits.removeLast()
      scale += 1
    }
    guard scale >= 0, digits.count + scale <= 19 else { return nil }
    digits.append(contentsOf: repeatElement(48, count: scale))
    if text[0] == UInt8(ascii: "-") { digits.insert(UInt8(ascii: "-"), at: 0) }
    return digits.withUnsafeBytes { NumberText.int64($0) }
  }
}
