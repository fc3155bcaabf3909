import AggregateCore

/// Comparisons and arithmetic.
extension Binder {
  func compared(
    _ symbol: String, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    guard let comparison = Comparison.named(symbol) else {
      throw SyntaxMistake("“\(symbol)” is no comparison", at: offset)
    }
    if let x = a.scalar?.exact, let y = b.scalar?.exact, let order = ExactDecimal.compare(x, y) {
      return .constant(.bool(comparison.holds(Order(order, 0))), at: offset)
    }
    let (left, right) = try comparable(a, b, at: offset)
    return folded(
      Comparing.kernel(comparison, left.type, right.type), [left, right], .bool, at: offset)
  }

  /// Both sides with text constants read as what the other side is.
  func comparable(
    _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> (Bound, Bound) {
    let left = try read(a, for: b)
    let right = try read(b, for: a)
    let kinds = [left.type, right.type]
    if kinds.contains(where: \.isTime), kinds.contains(where: { $0.isNumeric || $0 == .bool }) {
      throw SyntaxMistake(
        "\(left.type.shown) cannot be compared with \(right.type.shown)", at: offset, code: "type")
    }
    return (left, right)
  }

  func read(_ bound: Bound, for other: Bound) throws(SyntaxMistake) -> Bound {
    guard case .text(let text)? = bound.scalar else { return bound }
    let bytes = ByteBuffer(text)
    if other.type.isNumeric {
      switch bytes.withUnsafeBytes({ NumberReader.loose($0) }) {
      case .int(let value): return .constant(.int(value), at: bound.offset)
      case .double(let value): return .constant(.double(value), at: bound.offset)
      case nil:
        throw SyntaxMistake(
          "'\(text)' does not read as a number", at: bound.offset, code: "type")
      }
    }
    if other.type.isTime {
      guard let found = bytes.withUnsafeBytes({ InstantParser.any($0) }),
        let instant = found.instant(zone: .utc)
      else {
        throw SyntaxMistake(
          "'\(text)' does not read as a time", at: bound.offset,
          hint: "for example: '2024-03-05' or '2024-03-05T10:20:30Z'", code: "type")
      }
      return .constant(found.isDateOnly ? .date(found.date) : .instant(instant), at: bound.offset)
    }
    return bound
  }

  mutating func negated(
    _ operand: Syntax, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let inner = try bind(operand)
    switch inner.scalar {
    case .int(let value)? where value != .min: return .constant(.int(-value), at: offset)
    case .decimal(let value)?:
      return .constant(.decimal(ExactDecimal(-value.unscaled, scale: value.scale)), at: offset)
    default: break
    }
    guard
      inner.type.isNumeric || inner.type.isOpen || inner.type == .interval || inner.type == .null
    else {
      throw SyntaxMistake("\(inner.type.shown) has no negative", at: offset, code: "type")
    }
    let type = inner.type.isOpen ? .number : inner.type == .decimal ? .double : inner.type
    return folded(Arithmetic.negated(inner.type), [inner], type, at: offset)
  }

  func binary(
    _ symbol: String, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    if Comparison.named(symbol) != nil { return try compared(symbol, a, b, at: offset) }
    switch symbol {
    case "||": return folded(Logic.concatenation, [a, b], .text, at: offset)
    case "->", "->>":
      return try NestedFunctions.arrow(a, b, asText: symbol == "->>", at: offset)
    default: break
    }
    guard let op = Arithmetic.Operator(rawValue: symbol) else {
      throw SyntaxMistake("“\(symbol)” is no operator", at: offset)
    }
    if let x = a.scalar?.exact, let y = b.scalar?.exact, let value = Folding.exact(op, x, y) {
      return .constant(value, at: offset)
    }
    if let bound = try timeArithmetic(op, a, b, at: offset) { return bound }
    var sides: [Bound] = []
    for side in [a, b] {
      if case .text? = side.scalar {
        sides.append(try read(side, for: numberSide))
      } else {
        sides.append(side)
      }
    }
    for side in sides {
      if side.type.isNumeric || side.type.isOpen || side.type == .null { continue }
      throw SyntaxMistake(
        "“\(symbol)” takes numbers, but this is \(side.type.shown)", at: side.offset,
        hint: side.type == .text ? "cast it: x::double, or join text with ||" : nil, code: "type")
    }
    let type = Arithmetic.type(op, sides[0].type, sides[1].type)
    return folded(
      Arithmetic.kernel(op, sides[0].type, sides[1].type), sides,
      sides.contains { $0.type == .null } && type == .number ? .null : type, at: offset)
  }

  var numberSide: Bound { .constant(.int(0), at: 0) }

  func timeArithmetic(
    _ op: Arithmetic.Operator, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound? {
    let (x, y) = (a.type, b.type)
    guard x.isTime || y.isTime || x == .interval || y == .interval else { return nil }
    switch op {
    case .add, .subtract:
      let isMinus = op == .subtract
      if x == .interval && y == .interval {
        return folded(TimeArithmetic.intervalSum(isMinus), [a, b], .interval, at: offset)
      }
      if y == .interval, x != .bool, !x.isNumeric {
        return folded(Arithmetic.moved(negated: isMinus), [a, b], .instant, at: offset)
      }
      if x == .interval, !isMinus {
        return folded(Arithmetic.moved(negated: false), [b, a], .instant, at: offset)
      }
      if x == .date, y.isNumeric || y.isOpen {
        return folded(Arithmetic.dayMoved(negated: isMinus), [a, b], .date, at: offset)
      }
      if y == .date, !isMinus, x.isNumeric {
        return folded(Arithmetic.dayMoved(negated: false), [b, a], .date, at: offset)
      }
      if isMinus, x == .date || x == .text || x.isOpen, y == .date {
        return folded(TimeArithmetic.days, [a, b], .int, at: offset)
      }
      if isMinus, x.isTime || x.isOpen || x == .text, y.isTime || y.isOpen || y == .text {
        return folded(TimeArithmetic.difference, [a, b], .interval, at: offset)
      }
      if x == .null || y == .null { return .constant(.null, at: offset) }
    case .multiply:
      if x == .interval, y.isNumeric || y.isOpen {
        return folded(TimeArithmetic.scaled, [a, b], .interval, at: offset)
      }
      if y == .interval, x.isNumeric || x.isOpen {
        return folded(TimeArithmetic.scaled, [b, a], .interval, at: offset)
      }
    default: break
    }
    throw SyntaxMistake(
      "“\(op.rawValue)” does not take \(x.shown) and \(y.shown)", at: offset,
      hint: x.isTime || y.isTime ? "add or subtract an interval: t + interval 1 day" : nil,
      code: "type")
  }

  mutating func interval(
    _ amount: Syntax, _ unit: String, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    var inner = try bind(amount)
    if case .text? = inner.scalar { inner = try read(inner, for: numberSide) }
    guard inner.type.isNumeric || inner.type.isOpen || inner.type == .null else {
      throw SyntaxMistake("an interval takes a number", at: amount.offset, code: "type")
    }
    return folded(TimeArithmetic.interval(unit), [inner], .interval, at: offset)
  }
}
