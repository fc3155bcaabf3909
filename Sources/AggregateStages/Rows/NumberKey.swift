internal import AggregateCore

/// Numbers as bytes whose order is the order of the exact values, however they were written.
///
/// A sign, the decimal exponent, then the significant digits in pairs: 123.4 is 0.1234 · 10³.
enum NumberKey {
  private static let negativeInfinity: UInt8 = 0x1F
  private static let negative: UInt8 = 0x20
  private static let zero: UInt8 = 0x21
  private static let positive: UInt8 = 0x22
  private static let positiveInfinity: UInt8 = 0x23
  private static let notANumber: UInt8 = 0x24

  /// Appends the key of `value`.
  static func append(_ value: Int64, into out: inout ByteBuilder) {
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 1) { digits in
      var rest = value.magnitude
      var start = 24
      repeat {
        start -= 1
        digits[start] = UInt8(truncatingIfNeeded: rest % 10) + 48
        rest /= 10
      } while rest > 0
      if value < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      append(UnsafeRawBufferPointer(rebasing: digits[start...]), into: &out)
    }
  }

  /// Appends the key of `value`; infinities stand outside all numbers, and NaN behind them.
  static func append(_ value: Double, into out: inout ByteBuilder) {
    if value.isNaN {
      out.append(notANumber)
    } else if value.isInfinite {
      out.append(value < 0 ? negativeInfinity : positiveInfinity)
    } else if value == value.rounded(.towardZero), abs(value) < 9e15 {
      append(Int64(value), into: &out)
    } else {
      var text = value.description
      text.withUTF8 { append(UnsafeRawBufferPointer($0), into: &out) }
    }
  }

  /// Appends the key of a number in JSON's form.
  static func append(_ text: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    out.append(maximum: text.count / 2 + 16) { encode(text, $0) }
  }

  @inline(__always)
  private static func encode(
    _ text: UnsafeRawBufferPointer, _ out: UnsafeMutableRawBufferPointer
  ) -> Int {
    let isNegative = text.count > 0 && text[0] == UInt8(ascii: "-")
    var i = isNegative ? 1 : 0
    var point = -1
    var first = -1
    var last = -1
    while i < text.count {
      let byte = text[i]
      if byte == UInt8(ascii: ".") {
        point = i
      } else if byte &- 48 < 10 {
        if byte != 48 {
          if first < 0 { first = i }
          last = i
        }
      } else {
        break
      }
      i += 1
    }
    if first < 0 {
      out[0] = zero
      return 1
    }
    if point < 0 { point = i }
    var exponent = first < point ? point - first : point + 1 - first
    if i < text.count { exponent += writtenExponent(text, i + 1) }

    out[0] = isNegative ? negative : positive
    let mask: UInt8 = isNegative ? 0xFF : 0
    var end = appendExponent(exponent, mask, out)
    i = first
    while i <= last {
      if i == point { i += 1 }
      var pair = (text[i] &- 48) &* 10
      i += 1
      if i == point { i += 1 }
      if i <= last { pair &+= text[i] &- 48 }
      i += 1
      out[end] = (pair &+ 1) ^ mask
      end += 1
    }
    out[end] = mask
    return end + 1
  }

  /// Two bytes; exponents that do not fit have eight more.
  private static func appendExponent(
    _ exponent: Int, _ mask: UInt8, _ out: UnsafeMutableRawBufferPointer
  ) -> Int {
    let biased = min(max(exponent + 0x8000, 0), 0xFFFF)
    out[1] = UInt8(biased >> 8) ^ mask
    out[2] = UInt8(biased & 255) ^ mask
    if biased > 0, biased < 0xFFFF { return 3 }
    let wide = UInt64(bitPattern: Int64(exponent)) ^ (1 << 63)
    for k in 0..<8 { out[3 + k] = UInt8(truncatingIfNeeded: wide >> UInt64(56 - 8 * k)) ^ mask }
    return 11
  }

  private static func writtenExponent(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var i = start
    var isNegative = false
    if i < text.count, text[i] == UInt8(ascii: "-") || text[i] == UInt8(ascii: "+") {
      isNegative = text[i] == UInt8(ascii: "-")
      i += 1
    }
    var value = 0
    while i < text.count {
      value = min(value * 10 + Int(text[i] &- 48), 1 << 50)
      i += 1
    }
    return isNegative ? -value : value
  }
}
