import AggregateCore

/// What an expression is made of: constants, names, calls, and what has words of its own.
extension Parser {
  mutating func primary() throws(SyntaxMistake) -> Syntax {
    let start = token
    switch start.kind {
    case .number:
      advance()
      return Syntax(.constant(Scalar(literal: start.text)), at: start.offset)
    case .text:
      advance()
      return Syntax(.constant(.text(start.text)), at: start.offset)
    case .symbol where start.text == "(":
      advance()
      let inner = try expression(0)
      guard take(symbol: ")") else {
        if token.kind == .end {
          throw SyntaxMistake(
            "this parenthesis is not closed", at: start.offset, hint: "a closing ) is missing")
        }
        throw unexpected("“)”")
      }
      return inner
    case .quotedName: return try name()
    case .name: return try word()
    default: throw unexpected("a value")
    }
  }

  private mutating func word() throws(SyntaxMistake) -> Syntax {
    let start = token
    let next = ahead(1)
    let isCall = next.isSymbol("(")
    switch start.text.lowercased() {
    case "case": return try choice()
    case "null" where !isCall: return constant(.null)
    case "true" where !isCall: return constant(.bool(true))
    case "false" where !isCall: return constant(.bool(false))
    case "cast" where isCall: return try cast(isTry: false)
    case "try_cast" where isCall: return try cast(isTry: true)
    case "extract" where isCall: return try extract()
    case "position" where isCall: return try positionCall()
    case "interval" where next.kind == .text || next.kind == .number || isCall:
      return try interval()
    case "date" where next.kind == .text: return try typedLiteral(.date)
    case "timestamp" where next.kind == .text, "timestamptz" where next.kind == .text:
      return try typedLiteral(.instant)
    case "current_date" where !isCall, "current_timestamp" where !isCall:
      advance()
      return Syntax(
        .call(start.text.lowercased(), [], isDistinct: false, isStar: false), at: start.offset)
    case let lowered where Self.reserved.contains(lowered):
      throw unexpected("a value")
    default: return isCall ? try call() : try name()
    }
  }

  mutating func constant(_ value: Scalar) -> Syntax {
    let offset = token.offset
    advance()
    return Syntax(.constant(value), at: offset)
  }

  private mutating func typedLiteral(_ target: CastTarget) throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    let text = constant(.text(token.text))
    return try made(.cast(text, target, isTry: false), at: offset, [text])
  }

  private mutating func name() throws(SyntaxMistake) -> Syntax {
    let start = token
    var parts = [start.text]
    advance()
    while token.isSymbol("."), ahead(1).kind == .name || ahead(1).kind == .quotedName {
      advance()
      parts.append(token.text)
      advance()
    }
    return Syntax(
      .name(parts, isQuoted: parts.count == 1 && start.kind == .quotedName), at: start.offset)
  }

  private mutating func call() throws(SyntaxMistake) -> Syntax {
    let start = token
    advance()
    let open = token.offset
    advance()
    var arguments: [Syntax] = []
    var isDistinct = false
    if take(symbol: "*") {
      try expect(symbol: ")")
      return Syntax(
        .call(start.text.lowercased(), [], isDistinct: false, isStar: true), at: start.offset)
    }
    if !take(symbol: ")") {
      isDistinct = take(word: "distinct")
      repeat { arguments.append(try expression(0)) } while take(symbol: ",")
      guard take(symbol: ")") else {
        if token.kind == .end {
          throw SyntaxMistake(
            "this parenthesis is not closed", at: open, hint: "a closing ) is missing")
        }
        throw unexpected("“,” or “)”")
      }
    }
    return try made(
      .call(start.text.lowercased(), arguments, isDistinct: isDistinct, isStar: false),
      at: start.offset, arguments)
  }

  private mutating func choice() throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    let operand = token.isWord("when") ? nil : try expression(0)
    var branches: [Syntax.Branch] = []
    while take(word: "when") {
      let condition = try expression(0)
      try expect(word: "then")
      branches.append(Syntax.Branch(condition: condition, value: try expression(0)))
    }
    if branches.isEmpty { throw unexpected("“when”") }
    let otherwise = take(word: "else") ? try expression(0) : nil
    try expect(word: "end")
    let parts =
      branches.flatMap { [$0.condition, $0.value] } + [operand, otherwise].compactMap { $0 }
    return try made(.choice(operand: operand, branches, otherwise: otherwise), at: offset, parts)
  }

  mutating func cast(isTry: Bool) throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    try expect(symbol: "(")
    let value = try expression(0)
    try expect(word: "as")
    let target = try castTarget()
    try expect(symbol: ")")
    return try made(.cast(value, target, isTry: isTry), at: offset, [value])
  }

  private mutating func extract() throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    try expect(symbol: "(")
    let part = token
    guard part.kind == .name || part.kind == .text else { throw unexpected("a part such as year") }
    advance()
    try expect(word: "from")
    let value = try expression(0)
    try expect(symbol: ")")
    let name = Syntax(.constant(.text(part.text)), at: part.offset)
    return try made(
      .call("date_part", [name, value], isDistinct: false, isStar: false), at: offset,
      [name, value])
  }

  private mutating func positionCall() throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    try expect(symbol: "(")
    let needle = try expression(Level.other)
    guard take(word: "in") else { throw unexpected("“in”") }
    let text = try expression(0)
    try expect(symbol: ")")
    return try made(
      .call("strpos", [text, needle], isDistinct: false, isStar: false), at: offset,
      [text, needle])
  }

  private mutating func interval() throws(SyntaxMistake) -> Syntax {
    let start = token
    advance()
    let amount: Syntax
    if take(symbol: "(") {
      amount = try expression(0)
      try expect(symbol: ")")
    } else {
      amount = try primary()
    }
    if token.kind == .name, Interval(1, unit: token.text) != nil {
      let unit = token.text
      advance()
      return try made(.interval(amount, unit: unit), at: start.offset, [amount])
    }
    if case .constant(.text(let text)) = amount.kind, let value = Interval(text) {
      return Syntax(.constant(.interval(value)), at: start.offset)
    }
    throw SyntaxMistake(
      "an interval has a number and a unit", at: start.offset,
      hint: "for example: interval 1 day, interval '1 hour 30 minutes'")
  }
}
