/// A decimal number without rounding: an integer and the number of its digits behind the point.
///
/// Decimal literals are exact, so that `0.1 + 0.2 = 0.3`. Operations are nil when they overflow.
struct ExactDecimal: Sendable, Hashable, CustomStringConvertible {
  let unscaled: Int128
  let scale: Int

  init(_ unscaled: Int128, scale: Int) {
    self.unscaled = unscaled
    self.scale = scale
  }

  init(_ value: Int64) { self.init(Int128(value), scale: 0) }

  /// Digits with at most one point and an optional sign; nil for anything else or too many digits.
  init?(_ text: String) {
    var unscaled: Int128 = 0
    var scale = 0
    var digits = 0
    var sawPoint = false
    var negative = false
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: negative = true
      case UInt8(ascii: "+") where index == 0: break
      case UInt8(ascii: ".") where !sawPoint: sawPoint = true
      case 0x30...0x39:
        digits += 1
        if digits > 36 { return nil }
        unscaled = unscaled * 10 + Int128(byte - 48)
        if sawPoint { scale += 1 }
      default: return nil
      }
    }
    guard digits > 0 else { return nil }
    self.init(negative ? -unscaled : unscaled, scale: scale)
  }

  /// Whether it is an integer that does not fit in 64 bits.
  var isLongInteger: Bool { scale == 0 && Int64(exactly: unscaled) == nil }

  var double: Double { Double(description) ?? .nan }

  var description: String {
    var digits = String(unscaled.magnitude)
    if scale > 0 {
      if digits.utf8.count <= scale {
        digits = String(repeating: "0", count: scale + 1 - digits.utf8.count) + digits
      }
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -scale))
    }
    return unscaled < 0 ? "-" + digits : digits
  }

  /// Both numbers with the same number of digits behind the point.
  private static func aligned(_ a: ExactDecimal, _ b: ExactDecimal) -> (Int128, Int128, Int)? {
    let scale = max(a.scale, b.scale)
    guard let left = a.scaled(to: scale), let right = b.scaled(to: scale) else { return nil }
    return (left, right, scale)
  }

  private func scaled(to scale: Int) -> Int128? {
    guard let power = Self.power(scale - self.scale) else { return nil }
    let (value, overflow) = unscaled.multipliedReportingOverflow(by: power)
    return overflow ? nil : value
  }

  private static func power(_ exponent: Int) -> Int128? {
    guard (0...37).contains(exponent) else { return nil }
    var result: Int128 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
  }

  static func sum(_ a: ExactDecimal, _ b: ExactDecimal, negated: Bool = false) -> ExactDecimal? {
    guard let (left, right, scale) = aligned(a, b) else { return nil }
    let (value, overflow) =
      negated
      ? left.subtractingReportingOverflow(right) : left.addingReportingOverflow(right)
    return overflow ? nil : ExactDecimal(value, scale: scale)
  }

  static func product(_ a: ExactDecimal, _ b: ExactDecimal) -> ExactDecimal? {
    let (value, overflow) = a.unscaled.multipliedReportingOverflow(by: b.unscaled)
    return overflow || a.scale + b.scale > 36
      ? nil : ExactDecimal(value, scale: a.scale + b.scale)
  }

  static func remainder(_ a: ExactDecimal, _ b: ExactDecimal) -> ExactDecimal? {
    guard let (left, right, scale) = aligned(a, b), right != 0 else { return nil }
    return ExactDecimal(left % right, scale: scale)
  }

  /// Negative, zero or positive, as `a` is less than, equal to or greater than `b`.
  static func compare(_ a: ExactDecimal, _ b: ExactDecimal) -> Int? {
    guard let (left, right, _) = aligned(a, b) else { return nil }
    return left < right ? -1 : left == right ? 0 : 1
  }

  /// Rounded to `places` digits behind the point, half away from zero.
  func rounded(_ places: Int) -> ExactDecimal {
    guard places < scale, let power = Self.power(scale - max(places, -36)) else { return self }
    let (quotient, rest) = unscaled.quotientAndRemainder(dividingBy: power)
    let isUp = rest.magnitude * 2 >= power.magnitude
    let value = quotient + (isUp ? (unscaled < 0 ? -1 : 1) : 0)
    guard places < 0 else { return ExactDecimal(value, scale: places) }
    return ExactDecimal(value * (Self.power(-places) ?? 1), scale: 0)
  }
}
