import AggregateCore

/// Formats with placeholders.
enum TextFormat {
  /// `%d %i %s %f %e %g %x %X %o %c %%` with flags, width and precision; nil when it does not fit.
  static func printf(_ format: [UInt8], _ values: [CellValue]) -> String? {
    var out: [UInt8] = []
    var next = 0
    var i = 0
    while i < format.count {
      let byte = format[i]
      i += 1
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      var spec = NumberFormat()
      i = spec.readFlags(format, i)
      guard i < format.count else { return nil }
      while i < format.count, "lhqL".utf8.contains(format[i]) { i += 1 }
      guard i < format.count else { return nil }
      let conversion = format[i]
      i += 1
      if conversion == UInt8(ascii: "%") {
        out.append(conversion)
        continue
      }
      guard next < values.count, let text = spec.formatted(values[next], conversion)
      else { return nil }
      next += 1
      out.append(contentsOf: text.utf8)
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// `{}`, `{:spec}` with a specification as of printf; `{{` and `}}` are braces.
  static func braces(_ format: [UInt8], _ values: [CellValue]) -> String? {
    var out: [UInt8] = []
    var next = 0
    var i = 0
    while i < format.count {
      let byte = format[i]
      i += 1
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        if i < format.count, format[i] == byte {
          out.append(byte)
          i += 1
          continue
        }
        guard byte == UInt8(ascii: "{"),
          let close = format[i...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        var inside = Array(format[i..<close])
        i = close + 1
        var index = next
        let digits = inside.prefix { NumberText.isDecimalDigit($0) }
        if !digits.isEmpty, let number = Int(String(decoding: digits, as: UTF8.self)) {
          index = number
          inside.removeFirst(digits.count)
        } else {
          next += 1
        }
        guard index < values.count else { return nil }
        var text: String? = values[index].shown
        if inside.first == UInt8(ascii: ":") {
          inside.removeFirst()
          var spec = NumberFormat()
          let end = spec.readFlags(inside, 0)
          let conversion = end < inside.count ? inside[end] : UInt8(ascii: "s")
          text = spec.formatted(values[index], conversion)
        } else if !inside.isEmpty {
          return nil
        }
        guard let text else { return nil }
        out.append(contentsOf: text.utf8)
      } else {
        out.append(byte)
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}

/// One placeholder's flags, width and precision.
struct NumberFormat {
  private var isLeft = false
  private var isZeroFilled = false
  private var hasPlus = false
  private var hasSpace = false
  private var groups = false
  private var width = 0
  private var precision: Int?

  mutating func readFlags(_ format: [UInt8], _ start: Int) -> Int {
    var i = start
    flags: while i < format.count {
      switch format[i] {
      case UInt8(ascii: "-"), UInt8(ascii: "<"): isLeft = true
      case UInt8(ascii: "0"): isZeroFilled = true
      case UInt8(ascii: "+"): hasPlus = true
      case UInt8(ascii: " "): hasSpace = true
      case UInt8(ascii: ","), UInt8(ascii: "'"): groups = true
      case UInt8(ascii: ">"), UInt8(ascii: "#"): break
      default: break flags
      }
      i += 1
    }
    width = Self.number(format, &i) ?? 0
    if i < format.count, format[i] == UInt8(ascii: ",") {
      groups = true
      i += 1
    }
    if i < format.count, format[i] == UInt8(ascii: ".") {
      i += 1
      precision = Self.number(format, &i) ?? 0
    }
    return i
  }

  private static func number(_ format: [UInt8], _ i: inout Int) -> Int? {
    var value: Int?
    while i < format.count, NumberText.isDecimalDigit(format[i]) {
      value = min(10_000, (value ?? 0) * 10 + Int(format[i] - 48))
      i += 1
    }
    return value
  }

  func formatted(_ value: CellValue, _ conversion: UInt8) -> String? {
    switch conversion {
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"):
      guard let number = integer(value) else { return nil }
      let digits = String(number.magnitude)
      return filled(sign(number < 0), groups ? grouped(digits) : digits, isNumber: true)
    case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"):
      guard let number = integer(value) else { return nil }
      let digits = String(
        UInt64(bitPattern: number), radix: conversion == UInt8(ascii: "o") ? 8 : 16,
        uppercase: conversion == UInt8(ascii: "X"))
      return filled("", digits, isNumber: true)
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      guard let number = real(value), number.isFinite else { return nil }
      let text = FixedPoint.text(number.magnitude, digits: precision ?? 6)
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let whole = groups ? grouped(String(parts[0])) : String(parts[0])
      return filled(
        sign(number < 0), parts.count > 1 ? "\(whole).\(parts[1])" : whole, isNumber: true)
    case UInt8(ascii: "e"), UInt8(ascii: "g"), UInt8(ascii: "G"), UInt8(ascii: "E"):
      guard let number = real(value) else { return nil }
      let text = NumberText.shortest(number.magnitude)
      return filled(
        sign(number < 0), text.hasSuffix(".0") ? String(text.dropLast(2)) : text, isNumber: true)
    case UInt8(ascii: "c"):
      guard let number = integer(value), let code = UInt32(exactly: number),
        let scalar = Unicode.Scalar(code)
      else { return nil }
      return filled("", String(Character(scalar)), isNumber: false)
    case UInt8(ascii: "s"):
      var text = value.shown
      if let precision {
        text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(precision)))
      }
      return filled("", text, isNumber: false)
    default: return nil
    }
  }

  private func integer(_ value: CellValue) -> Int64? {
    switch value {
    case .int(let value): value
    case .double(let value): Int64(exactly: value)
    case .bool(let value): value ? 1 : 0
    case .text(let bytes): NumberReader.castInt(bytes)
    default: nil
    }
  }

  private func real(_ value: CellValue) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .double(let value): value
    case .text(let bytes): NumberReader.loose(bytes)?.double
    default: nil
    }
  }

  private func sign(_ isNegative: Bool) -> String {
    isNegative ? "-" : hasPlus ? "+" : hasSpace ? " " : ""
  }

  private func grouped(_ digits: String) -> String {
    var out: [Character] = []
    for (index, digit) in digits.reversed().enumerated() {
      if index > 0, index % 3 == 0 { out.append(",") }
      out.append(digit)
    }
    return String(out.reversed())
  }

  private func filled(_ sign: String, _ body: String, isNumber: Bool) -> String {
    let missing = width - sign.unicodeScalars.count - body.unicodeScalars.count
    if missing <= 0 { return sign + body }
    if isLeft { return sign + body + String(repeating: " ", count: missing) }
    if isZeroFilled && isNumber { return sign + String(repeating: "0", count: missing) + body }
    return String(repeating: " ", count: missing) + sign + body
  }
}

/// Real numbers with a fixed number of digits.
enum FixedPoint {
  /// `value`, which is finite and not negative, rounded half to even of its exact binary value.
  static func text(_ value: Double, digits: Int) -> String {
    let places = min(digits, 100)
    // The exact decimal expansion, digit by digit: a double is a whole number of powers of two.
    var whole: [UInt8] = []
    var integral = value.rounded(.down)
    var fraction = value - integral
    if integral < 0x1p63 {
      whole = Array(String(Int64(integral)).utf8)
    } else {
      while integral >= 1 {
        let rest = integral.truncatingRemainder(dividingBy: 10)
        whole.insert(UInt8(rest) + 48, at: 0)
        integral = ((integral - rest) / 10).rounded()
      }
    }
    var bits: [UInt8] = []
    // Multiplying by ten is exact only in parts, so the fraction is kept as a big decimal.
    var expansion = ExactFraction(fraction)
    for _ in 0..<places { bits.append(expansion.nextDigit()) }
    fraction = 0
    if expansion.isAboveHalf(lastDigit: bits.last ?? (whole.last ?? 48) - 48) {
      var carry = true
      for i in bits.indices.reversed() where carry {
        bits[i] += 1
        carry = bits[i] == 10
        if carry { bits[i] = 0 }
      }
      for i in whole.indices.reversed() where carry {
        whole[i] += 1
        carry = whole[i] == 58
        if carry { whole[i] = 48 }
      }
      if carry { whole.insert(49, at: 0) }
    }
    let head = String(decoding: whole, as: UTF8.self)
    return places == 0 ? head : head + "." + String(decoding: bits.map { $0 + 48 }, as: UTF8.self)
  }
}

/// The decimal digits of a fraction below 1, exactly.
struct ExactFraction {
  /// Limbs of 32 bits behind the binary point, most significant first.
  private var limbs: [UInt32]

  init(_ fraction: Double) {
    limbs = []
    var rest = fraction
    while rest > 0, limbs.count < 40 {
      rest *= 0x1p32
      let whole = rest.rounded(.down)
      limbs.append(UInt32(whole))
      rest -= whole
    }
  }

  mutating func nextDigit() -> UInt8 {
    var carry: UInt64 = 0
    for i in limbs.indices.reversed() {
      let product = UInt64(limbs[i]) * 10 + carry
      limbs[i] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    return UInt8(carry)
  }

  /// Whether what is left rounds up: more than a half, or a half behind an odd digit.
  func isAboveHalf(lastDigit: UInt8) -> Bool {
    guard let first = limbs.first, first >= 0x8000_0000 else { return false }
    if first > 0x8000_0000 || limbs.dropFirst().contains(where: { $0 != 0 }) { return true }
    return lastDigit % 2 == 1
  }
}
