import AggregateCore
import AggregateJSON

/// Numbers from bytes, as fast as they allow.
enum NumberReader {
  enum Number {
    case int(Int64)
    case double(Double)

    var double: Double {
      switch self {
      case .int(let value): Double(value)
      case .double(let value): value
      }
    }
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The value of a number in JSON's form.
  static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
    var i = 0
    let count = bytes.count
    let negative = count > 0 && bytes[0] == UInt8(ascii: "-")
    if negative { i = 1 }
    var mantissa: UInt64 = 0
    let start = i
    while i < count {
      let digit = bytes[i] &- 48
      if digit >= 10 { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      i += 1
    }
    var digits = i - start
    var places = 0
    if i < count, bytes[i] == UInt8(ascii: ".") {
      i += 1
      let point = i
      while i < count {
        let digit = bytes[i] &- 48
        if digit >= 10 { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        i += 1
      }
      places = i - point
      digits += places
    }
    if i == count, digits <= 19, places <= 22, mantissa <= 1 << 53 {
      let value = Double(mantissa)
      let scaled = places == 0 ? value : value / powers[places]
      return negative ? -scaled : scaled
    }
    return FastDouble.parse(bytes) ?? .nan
  }

  /// The exact integer or else the real value of a number in JSON's form.
  @inline(__always)
  static func number(_ bytes: UnsafeRawBufferPointer, isInteger: Bool) -> Number {
    if isInteger, let value = integer(bytes) { return .int(value) }
    return .double(double(bytes))
  }

  /// The exact integers of cells that are all integers or null; nil when any is something else.
  static func integers(_ spans: SpanColumn) -> Vector<Int64>? {
    guard spans.cells.allSatisfy({ $0.kind == .integer || $0.kind.isNull }) else { return nil }
    var fits = true
    let vector = spans.withCells { bytes, cells in
      Rows.vector(cells.count, Int64(0)) { row in
        let cell = cells[row]
        if cell.kind.isNull { return nil }
        let value = integer(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        if value == nil { fits = false }
        return value
      }
    }
    return fits ? vector : nil
  }

  /// The exact value of an integer in JSON's form; nil when it does not fit.
  @inline(__always)
  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count <= 18 else { return NumberText.int64(bytes) }
    // Eighteen digits cannot overflow.
    let negative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    var value: Int64 = 0
    for i in (negative ? 1 : 0)..<bytes.count { value = value &* 10 &+ Int64(bytes[i] &- 48) }
    return negative ? 0 &- value : value
  }

  /// What text reads as: spaces around it, `+42`, `.5`, `5.` and `1e3` are accepted.
  static func loose(_ bytes: UnsafeRawBufferPointer) -> Number? {
    if let kind = NumberText.kind(bytes) { return number(bytes, isInteger: kind == .integer) }
    guard let first = bytes.firstIndex(where: { $0 > 0x20 }),
      let last = bytes.lastIndex(where: { $0 > 0x20 })
    else { return nil }
    var text = bytes[first...last]
    if text.first == UInt8(ascii: "+") { text = text.dropFirst() }
    guard let head = text.first,
      NumberText.isDecimalDigit(head) || head == UInt8(ascii: "-") || head == UInt8(ascii: "."),
      text.count < 400
    else { return nil }
    if let value = NumberText.int64(UnsafeRawBufferPointer(rebasing: text)) { return .int(value) }
    var sawDigit = false
    for byte in text {
      switch byte {
      case 0x30...0x39: sawDigit = true
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "-"),
        UInt8(ascii: "+"):
        break
      default: return nil
      }
    }
    var string = String(decoding: UnsafeRawBufferPointer(rebasing: text), as: UTF8.self)
    if string.hasSuffix(".") { string.removeLast() }
    guard sawDigit, let value = Double(string), value.isFinite else { return nil }
    return .double(value)
  }

  /// The integer that a cast of a real number gives, half to even; nil when out of range.
  static func rounded(_ value: Double) -> Int64? {
    let rounded = value.rounded(.toNearestOrEven)
    return rounded >= -0x1p63 && rounded < 0x1p63 ? Int64(rounded) : nil
  }

  /// The integer that text is cast to: fractions are rounded half away from zero.
  static func castInt(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    switch loose(bytes) {
    case .int(let value): return value
    case .double(let value):
      let rounded = value.rounded(.toNearestOrAwayFromZero)
      return rounded >= -0x1p63 && rounded < 0x1p63 ? Int64(rounded) : nil
    case nil: return nil
    }
  }
}

extension CellKind {
  /// Whether it is a number or no value.
  @inline(__always)
  var isNumberOrNull: Bool { isNull || isNumber }
}

extension NumberText {
  @inline(__always)
  static func isDecimalDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
