/// A whole number of 128 bits, in two's complement, laid out as DuckDB does.
struct DuckDBHugeInt: BitwiseCopyable, Hashable, Sendable {
  var low: UInt64
  var high: Int64

  /// Creates a number from its halves.
  init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates the same number with more bits.
  init(_ value: Int64) { self.init(high: value < 0 ? -1 : 0, low: UInt64(bitPattern: value)) }

  /// Reads an optional `-` and decimal digits, a point among them being passed over; nil when it is too
  /// large, or something else.
  ///
  /// - Parameter scale: How many digits are to stand behind the point; missing ones are zeros.
  init?(_ text: UnsafeRawBufferPointer, scale: Int = 0) {
    var magnitude: (high: UInt64, low: UInt64) = (0, 0)
    var behindPoint: Int?
    let isNegative = text.first == UInt8(ascii: "-")
    func appended(_ digit: UInt64) -> (high: UInt64, low: UInt64)? {
      let (carry, product) = magnitude.low.multipliedFullWidth(by: 10)
      let (low, overflow) = product.addingReportingOverflow(digit)
      let (high, overflow1) = magnitude.high.multipliedReportingOverflow(by: 10)
      let (sum, overflow2) = high.addingReportingOverflow(carry + (overflow ? 1 : 0))
      return overflow1 || overflow2 || sum > UInt64(Int64.max) ? nil : (sum, low)
    }
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: "."), behindPoint == nil {
        behindPoint = 0
        continue
      }
      guard byte &- 48 < 10, let next = appended(UInt64(byte - 48)) else { return nil }
      magnitude = next
      if let count = behindPoint { behindPoint = count + 1 }
    }
    let missing = scale - (behindPoint ?? 0)
    guard missing >= 0 else { return nil }
    for _ in 0..<missing {
      guard let next = appended(0) else { return nil }
      magnitude = next
    }
    self.init(high: Int64(magnitude.high), low: magnitude.low)
    if isNegative { self = negated }
  }

  private var negated: DuckDBHugeInt {
    let (low, carries) = (~self.low).addingReportingOverflow(1)
    return DuckDBHugeInt(high: ~high &+ (carries ? 1 : 0), low: low)
  }

  /// The decimal digits, with `scale` of them behind a point.
  func text(scale: Int = 0) -> String {
    let magnitude = high < 0 ? negated : self
    let digits = Self.digits(high: UInt64(bitPattern: magnitude.high), low: magnitude.low)
    return (high < 0 ? "-" : "") + Self.pointed(digits, scale: scale)
  }

  /// The decimal digits of a number without sign.
  static func digits(high: UInt64, low: UInt64) -> String {
    var (high, low) = (high, low)
    var parts: [UInt64] = []
    let base: UInt64 = 1_000_000_000_000_000_000
    while high != 0 {
      let (top, rest) = high.quotientAndRemainder(dividingBy: base)
      let (bottom, remainder) = base.dividingFullWidth((rest, low))
      parts.append(remainder)
      (high, low) = (top, bottom)
    }
    var text = String(low)
    for part in parts.reversed() {
      let digits = String(part)
      text += String(repeating: "0", count: 18 - digits.count) + digits
    }
    // The upper half was not zero, so what is left may be: `0…`.
    let zeros = text.prefix(text.count - 1).prefix { $0 == "0" }.count
    return String(text.dropFirst(zeros))
  }

  /// Digits with a point before the last `scale` of them.
  static func pointed(_ digits: String, scale: Int) -> String {
    guard scale > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
    return "\(padded.dropLast(scale)).\(padded.suffix(scale))"
  }
}
