import AggregateCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Functions of numbers.
enum NumberFunctions {
  private static let group = "numbers"

  static let all: [FunctionSpec] = [
    FunctionSpec(
      "abs", [], [.number()], type: { same($0) }, "The size of a number, without its sign.",
      "abs(-3)", "3", group: group,
      make: { call in
        kept(call, { $0 == .min ? nil : Swift.abs($0) }, { Swift.abs($0) })
      }),
    FunctionSpec(
      "sign", [], [.number()], .int, "-1, 0 or 1, as a number is negative, zero or positive.",
      "sign(-2.5)", "-1", group: group
    ) { arguments, frame in
      let x = frame.doubles(arguments[0])
      return Rows.ints(frame.count) { row in x[row].map { $0 < 0 ? -1 : $0 > 0 ? 1 : 0 } }
    },
    FunctionSpec(
      "round", [], [.number(), .int("digits", .optional)], type: { same($0) },
      "A number rounded half away from zero, to whole numbers or to so many digits.",
      "round(2.345, 2)", "2.35", group: group,
      make: { call in rounding(call) }),
    FunctionSpec(
      "trunc", [], [.number()], type: { same($0) }, "A number without its fraction.",
      "trunc(-1.9)", "-1.0", group: group,
      make: { call in kept(call, { $0 }, { $0.rounded(.towardZero) }) }),
    real("floor", [], "The largest whole number that is not larger.", "floor(-1.2)", "-2.0") {
      $0.rounded(.down)
    },
    real("ceil", ["ceiling"], "The smallest whole number that is not smaller.", "ceil(1.2)", "2.0")
    {
      $0.rounded(.up)
    },
    real("sqrt", [], "The square root.", "sqrt(16)", "4.0") { $0 < 0 ? nil : $0.squareRoot() },
    real("cbrt", [], "The cube root.", "cbrt(8)", "2.0") { cbrt($0) },
    real("exp", [], "e to the power of a number.", "exp(0)", "1.0") { exp($0) },
    real("ln", [], "The natural logarithm.", "ln(1)", "0.0") { $0 > 0 ? log($0) : nil },
    real("log10", ["log"], "The logarithm to base 10.", "log10(1000)", "3.0") {
      $0 > 0 ? log10($0) : nil
    },
    real("log2", [], "The logarithm to base 2.", "log2(8)", "3.0") { $0 > 0 ? log2($0) : nil },
    real("sin", [], "The sine of an angle in radians.", "sin(0)", "0.0") { sin($0) },
    real("cos", [], "The cosine of an angle in radians.", "cos(0)", "1.0") { cos($0) },
    real("tan", [], "The tangent of an angle in radians.", "tan(0)", "0.0") { tan($0) },
    real("asin", [], "The angle that has this sine.", "asin(0)", "0.0") { asin($0) },
    real("acos", [], "The angle that has this cosine.", "acos(1)", "0.0") { acos($0) },
    real("atan", [], "The angle that has this tangent.", "atan(0)", "0.0") { atan($0) },
    real("radians", [], "Degrees as radians.", "radians(0)", "0.0") { $0 * .pi / 180 },
    real("degrees", [], "Radians as degrees.", "degrees(pi())", "180.0") { $0 * 180 / .pi },
    FunctionSpec(
      "pi", [], [], .double, "The ratio of a circle's circumference to its diameter.",
      "round(pi(), 4)",
      "3.1416", group: group
    ) { _, _ in .constant(.double(.pi)) },
    pair("power", ["pow"], "A number to the power of another.", "power(2, 10)", "1024.0") {
      pow($0, $1)
    },
    pair("atan2", [], "The angle of the point (x, y), given y first.", "atan2(0, 1)", "0.0") {
      atan2($0, $1)
    },
    FunctionSpec(
      "mod", [], [.number("a"), .number("b")],
      type: { Arithmetic.type(.remainder, $0.types[0], $0.types[1]) },
      "The remainder of a division, with the sign of the first number.", "mod(-7, 3)", "-1",
      group: group, make: { call in Arithmetic.kernel(.remainder, call.types[0], call.types[1]) }),
    FunctionSpec(
      "gcd", [], [.int("a"), .int("b")], .int, "The greatest common divisor.", "gcd(12, 18)", "6",
      group: group
    ) { arguments, frame in
      let a = frame.ints(arguments[0])
      let b = frame.ints(arguments[1])
      return Rows.ints(frame.count) { row in
        guard let x = a[row], let y = b[row] else { return nil }
        var (m, n) = (x.magnitude, y.magnitude)
        while n != 0 { (m, n) = (n, m % n) }
        return Int64(exactly: m)
      }
    },
  ]

  private static func same(_ call: FunctionSpec.Call) -> ExpressionType {
    switch call.types[0] {
    case .int: .int
    case .decimal, .double: .double
    case .null: .null
    default: .number
    }
  }

  /// A function that keeps integers integers and real numbers real.
  private static func kept(
    _ call: FunctionSpec.Call, _ ofInt: @escaping @Sendable (Int64) -> Int64?,
    _ ofDouble: @escaping @Sendable (Double) -> Double
  ) -> Kernel {
    { arguments, frame in
      let numbers = Numbers(arguments[0], frame)
      if let vector = numbers.ints {
        return Rows.ints(frame.count) { row in
          guard let x = vector[row] else { return nil }
          if let value = ofInt(x) { return value }
          frame.lost("integer overflow") { String(x) }
          return nil
        }
      }
      if let vector = numbers.doubles {
        return Rows.doubles(frame.count) { row in vector[row].map(ofDouble) }
      }
      return Rows.cells(frame.count) { row, out in
        switch numbers[row] {
        case .int(let x):
          guard let value = ofInt(x) else { return .null }
          out.append(String(value))
          return .integer
        case .double(let x):
          out.append(NumberText.shortest(ofDouble(x)))
          return .real
        case nil: return .null
        }
      }
    }
  }

  private static func rounding(_ call: FunctionSpec.Call) -> Kernel {
    if call.types.count < 2 {
      return kept(call, { $0 }, { $0.rounded(.toNearestOrAwayFromZero) })
    }
    if case .int(let digits)? = call.constants[1] {
      let places = Int(max(-400, min(400, digits)))
      return kept(call, { round($0, places) }, { round($0, places) })
    }
    return { arguments, frame in
      let numbers = Numbers(arguments[0], frame)
      let digits = frame.ints(arguments[1])
      let made = Rows.cells(frame.count) { row, out in
        guard let x = numbers[row], let places = digits[row] else { return .null }
        let limited = Int(max(-400, min(400, places)))
        switch x {
        case .int(let value):
          guard let value = round(value, limited) else { return .null }
          out.append(String(value))
          return .integer
        case .double(let value):
          out.append(NumberText.shortest(round(value, limited)))
          return .real
        }
      }
      return frame.converted(made, to: same(call))
    }
  }

  static func round(_ value: Int64, _ digits: Int) -> Int64? {
    if digits >= 0 { return value }
    if digits < -18 { return 0 }
    var power: Int64 = 1
    for _ in 0..<(-digits) { power *= 10 }
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: power)
    let isUp = rest.magnitude >= UInt64(power) - rest.magnitude
    let (result, overflow) = (quotient + (isUp ? value.signum() : 0))
      .multipliedReportingOverflow(by: power)
    return overflow ? nil : result
  }

  static func round(_ value: Double, _ digits: Int) -> Double {
    if digits == 0 { return value.rounded(.toNearestOrAwayFromZero) }
    let power = pow(10, Double(Swift.abs(digits)))
    if digits > 0 {
      let scaled = value * power
      guard scaled.isFinite else { return value }
      return scaled.rounded(.toNearestOrAwayFromZero) / power
    }
    let scaled = (value / power).rounded(.toNearestOrAwayFromZero) * power
    return scaled.isFinite ? scaled : 0
  }

  private static func real(
    _ name: String, _ aliases: [String], _ summary: String, _ example: String, _ result: String,
    _ body: @escaping @Sendable (Double) -> Double?
  ) -> FunctionSpec {
    FunctionSpec(name, aliases, [.number()], .double, summary, example, result, group: group) {
      arguments, frame in
      let x = frame.doubles(arguments[0])
      return Rows.doubles(frame.count) { row in
        guard let value = x[row] else { return nil }
        if let result = body(value), result.isFinite { return result }
        frame.lost("\(name) is not defined") { NumberText.shortest(value) }
        return nil
      }
    }
  }

  private static func pair(
    _ name: String, _ aliases: [String], _ summary: String, _ example: String, _ result: String,
    _ body: @escaping @Sendable (Double, Double) -> Double
  ) -> FunctionSpec {
    FunctionSpec(
      name, aliases, [.number("x"), .number("y")], .double, summary, example, result, group: group
    ) { arguments, frame in
      let a = frame.doubles(arguments[0])
      let b = frame.doubles(arguments[1])
      return Rows.doubles(frame.count) { row in
        guard let x = a[row], let y = b[row] else { return nil }
        let value = body(x, y)
        if value.isFinite { return value }
        frame.lost("\(name) is not defined") {
          "\(NumberText.shortest(x)), \(NumberText.shortest(y))"
        }
        return nil
      }
    }
  }
}
