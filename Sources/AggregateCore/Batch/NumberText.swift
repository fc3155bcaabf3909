/// Numbers as text: the form that is recognised, and exact conversions.
public enum NumberText {
  /// The kind of `bytes` when the whole of it is a number in JSON's form, else nil.
  ///
  /// `007`, `+1`, `1_000`, `0x1F`, `.5`, `5.`, ` 1`, `NaN` are not: they stay text, so that codes
  /// keep their zeros and every number that is recognised leaves as it came.
  public static func kind(_ bytes: UnsafeRawBufferPointer) -> CellKind? {
    let count = bytes.count
    guard count > 0 else { return nil }
    var i = 0
    if bytes[0] == UInt8(ascii: "-") { i = 1 }
    guard i < count, isDigit(bytes[i]) else { return nil }
    if bytes[i] == UInt8(ascii: "0") {
      i += 1
    } else {
      while i < count, isDigit(bytes[i]) { i += 1 }
    }
    if i == count { return .integer }
    if bytes[i] == UInt8(ascii: ".") {
      i += 1
      guard i < count, isDigit(bytes[i]) else { return nil }
      while i < count, isDigit(bytes[i]) { i += 1 }
      if i == count { return .real }
    }
    guard bytes[i] | 0x20 == UInt8(ascii: "e") else { return nil }
    i += 1
    if i < count, bytes[i] == UInt8(ascii: "+") || bytes[i] == UInt8(ascii: "-") { i += 1 }
    guard i < count, isDigit(bytes[i]) else { return nil }
    while i < count, isDigit(bytes[i]) { i += 1 }
    return i == count ? .real : nil
  }

  /// The kind of `text` when the whole of it is a number in JSON's form, else nil.
  public static func kind(_ text: String) -> CellKind? {
    var text = text
    return text.withUTF8 { kind(UnsafeRawBufferPointer($0)) }
  }

  /// The exact value of optional `-` and decimal digits, or nil when it is not that or too large.
  public static func int64(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let count = bytes.count
    guard count > 0 else { return nil }
    let negative = bytes[0] == UInt8(ascii: "-")
    var i = negative ? 1 : 0
    guard i < count else { return nil }
    var value: Int64 = 0
    while i < count {
      let digit = bytes[i] &- 48
      guard digit < 10 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = product.subtractingReportingOverflow(Int64(digit))
      if overflow || overflow2 { return nil }
      value = sum
      i += 1
    }
    if negative { return value }
    return value == .min ? nil : -value
  }

  /// The shortest text that reads back as `value`, with a fraction or exponent (`1.0`).
  public static func shortest(_ value: Double) -> String {
    value.description
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }
}
