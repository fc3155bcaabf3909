/// Parses expressions by operator precedence, as DuckDB does.
///
/// From loose to tight: OR, AND, NOT, IS, comparison, BETWEEN/IN/LIKE, `||` and the arrows, `+ -`,
/// `* / // %`, unary minus, `::`, `[ ]` and members.
struct Parser {
  /// The deepest nesting; deeper ones are refused, so that evaluation cannot exhaust a stack.
  static let maximumDepth = 300

  private enum Level {
    static let or = 1
    static let and = 2
    static let not = 3
    static let isTest = 4
    static let comparison = 5
    static let membership = 6
    static let other = 7
    static let sum = 8
    static let product = 9
    static let minus = 10
    static let cast = 11
  }

  private static let binary: [String: Int] = [
    "=": Level.comparison, "==": Level.comparison, "<>": Level.comparison,
    "!=": Level.comparison, "<": Level.comparison, "<=": Level.comparison,
    ">": Level.comparison, ">=": Level.comparison, "||": Level.other, "->": Level.other,
    "->>": Level.other, "+": Level.sum, "-": Level.sum, "*": Level.product, "/": Level.product,
    "//": Level.product, "%": Level.product,
  ]
  private static let reserved: Set<String> = [
    "and", "or", "not", "is", "in", "like", "ilike", "between", "case", "when", "then", "else",
    "end", "as", "escape", "from", "select", "where",
  ]

  private let tokens: [Token]
  private var position = 0
  private var nesting = 0

  private init(_ tokens: [Token]) { self.tokens = tokens }

  /// The syntax of `text`.
  static func parse(_ text: String) throws(SyntaxMistake) -> Syntax {
    var parser = Parser(try Lexer.tokens(text))
    if parser.token.kind == .end {
      throw SyntaxMistake(
        "an expression is expected, but there is none", at: 0, hint: "for example: temp > 20")
    }
    let syntax = try parser.expression(0)
    guard parser.token.kind == .end else { throw parser.unexpected("an operator or the end") }
    return syntax
  }

  private var token: Token { tokens[position] }

  private func ahead(_ count: Int) -> Token { tokens[min(position + count, tokens.count - 1)] }

  private mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  private mutating func take(word: String) -> Bool {
    guard token.isWord(word) else { return false }
    advance()
    return true
  }

  private mutating func take(symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  private func unexpected(_ wanted: String) -> SyntaxMistake {
    SyntaxMistake("\(wanted) is expected here, not \(token.shown)", at: token.offset)
  }

  private mutating func expect(word: String) throws(SyntaxMistake) {
    if !take(word: word) { throw unexpected("“\(word)”") }
  }

  private mutating func expect(symbol: String) throws(SyntaxMistake) {
    if !take(symbol: symbol) { throw unexpected("“\(symbol)”") }
  }

  private func made(
    _ kind: Syntax.Kind, at offset: Int, _ parts: [Syntax]
  ) throws(SyntaxMistake) -> Syntax {
    let syntax = Syntax(kind, at: offset, parts: parts)
    if syntax.depth > Self.maximumDepth {
      throw SyntaxMistake(
        "the expression is nested more than \(Self.maximumDepth) deep", at: offset)
    }
    return syntax
  }

  private mutating func expression(_ minimum: Int) throws(SyntaxMistake) -> Syntax {
    nesting += 1
    defer { nesting -= 1 }
    if nesting > Self.maximumDepth {
      throw SyntaxMistake(
        "the expression is nested more than \(Self.maximumDepth) deep", at: token.offset)
    }
    var left = try prefix()
    while let next = try infix(left, minimum) { left = next }
    return left
  }

  private mutating func prefix() throws(SyntaxMistake) -> Syntax {
    let start = token
    if take(word: "not") {
      let operand = try expression(Level.not)
      return try made(.not(operand), at: start.offset, [operand])
    }
    if take(symbol: "-") {
      // The smallest Int64 has no positive counterpart, so the sign belongs to the literal.
      if token.kind == .number, token.text == "9223372036854775808" {
        advance()
        return Syntax(.constant(.int(.min)), at: start.offset)
      }
      let operand = try expression(Level.minus)
      return try made(.unary("-", operand), at: start.offset, [operand])
    }
    if take(symbol: "+") { return try expression(Level.minus) }
    return try primary()
  }

  /// What follows `left`, when it binds at least as tightly as `minimum`.
  private mutating func infix(_ left: Syntax, _ minimum: Int) throws(SyntaxMistake) -> Syntax? {
    let start = token
    if start.kind == .symbol { return try symbolInfix(left, minimum) }
    guard start.kind == .name else { return nil }
    switch start.text.lowercased() {
    case "or" where minimum <= Level.or:
      return try chain(left, "or", Level.or)
    case "and" where minimum <= Level.and:
      return try chain(left, "and", Level.and)
    case "is" where minimum <= Level.isTest: return try isTest(left)
    case "isnull" where minimum <= Level.isTest:
      advance()
      return try made(.isValue(left, .null, negated: false), at: start.offset, [left])
    case "notnull" where minimum <= Level.isTest:
      advance()
      return try made(.isValue(left, .null, negated: true), at: start.offset, [left])
    case "not" where minimum <= Level.membership:
      let follower = ahead(1)
      guard ["between", "in", "like", "ilike"].contains(where: { follower.isWord($0) })
      else { return nil }
      advance()
      return try membership(left, negated: true)
    case "between", "in", "like", "ilike":
      return minimum <= Level.membership ? try membership(left, negated: false) : nil
    default: return nil
    }
  }

  private mutating func chain(
    _ left: Syntax, _ word: String, _ level: Int
  ) throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    var parts = [left]
    while take(word: word) { parts.append(try expression(level + 1)) }
    return try made(word == "or" ? .any(parts) : .all(parts), at: offset, parts)
  }

  private mutating func symbolInfix(
    _ left: Syntax, _ minimum: Int
  ) throws(SyntaxMistake) -> Syntax? {
    let start = token
    switch start.text {
    case "::":
      advance()
      let target = try castTarget()
      return try made(.cast(left, target, isTry: false), at: start.offset, [left])
    case "[":
      advance()
      let index = try expression(0)
      try expect(symbol: "]")
      return try made(.element(left, index), at: start.offset, [left, index])
    case ".":
      advance()
      guard token.kind == .name || token.kind == .quotedName else { throw unexpected("a name") }
      let name = token.text
      advance()
      return try made(.member(left, name), at: start.offset, [left])
    default: break
    }
    guard let level = Self.binary[start.text], level >= minimum else { return nil }
    advance()
    let right = try expression(level + 1)
    if level == Level.comparison, token.kind == .symbol, Self.binary[token.text] == level {
      throw SyntaxMistake(
        "comparisons cannot be chained", at: token.offset, hint: "write a < b and b < c")
    }
    return try made(.binary(start.text, left, right), at: start.offset, [left, right])
  }

  private mutating func isTest(_ left: Syntax) throws(SyntaxMistake) -> Syntax {
    let offset = token.offset
    advance()
    let negated = take(word: "not")
    if take(word: "null") || take(word: "unknown") {
      return try made(.isValue(left, .null, negated: negated), at: offset, [left])
    }
    if take(word: "true") {
      return try made(.isValue(left, .known(true), negated: negated), at: offset, [left])
    }
    if take(word: "false") {
      return try made(.isValue(left, .known(false), negated: negated), at: offset, [left])
    }
    if take(word: "distinct") {
      try expect(word: "from")
      let right = try expression(Level.isTest + 1)
      return try made(.isDistinct(left, right, negated: negated), at: offset, [left, right])
    }
    throw unexpected("null, true, false or distinct from")
  }

  private mutating func membership(
    _ left: Syntax, negated: Bool
  ) throws(SyntaxMistake) -> Syntax {
    let start = token
    advance()
    switch start.text.lowercased() {
    case "between":
      let low = try expression(Level.other)
      try expect(word: "and")
      let high = try expression(Level.other)
      return try made(
        .between(left, low, high, negated: negated), at: start.offset, [left, low, high])
    case "in":
      try expect(symbol: "(")
      var choices = [try expression(0)]
      while take(symbol: ",") { choices.append(try expression(0)) }
      try expect(symbol: ")")
      return try made(
        .contained(left, choices, negated: negated), at: start.offset, [left] + choices)
    default:
      let pattern = try expression(Level.other)
      let escape = take(word: "escape") ? try expression(Level.other) : nil
      return try made(
        .like(
          left, pattern, escape: escape, ignoresCase: start.isWord("ilike"), negated: negated),
        at: start.offset, [left, pattern])
    }
  }

  private mutating func castTarget() throws(SyntaxMistake) -> CastTarget {
    guard token.kind == .name else { throw unexpected("a type") }
    let name = token
    guard var target = CastTarget.named(name.text) else {
      throw SyntaxMistake(
        "there is no type “\(name.text)”", at: name.offset,
        hint: TypeHint.text(for: name.text), code: "unknown-type")
    }
    advance()
    if name.isWord("double") { _ = take(word: "precision") }
    if name.isWord("timestamp") {
      let isWith = take(word: "with")
      if isWith || take(word: "without") {
        try expect(word: "time")
        try expect(word: "zone")
      }
    }
    if take(symbol: "(") {
      var numbers: [Int] = []
      repeat {
        guard token.kind == .number, let value = Int(token.text), value <= 38 else {
          throw unexpected("a number of digits")
        }
        numbers.append(value)
        advance()
      } while take(symbol: ",")
      try expect(symbol: ")")
      if case .decimal = target { target = .decimal(scale: numbers.count > 1 ? numbers[1] : 0) }
    }
    return target
  }

  private mutating func primary() throws(SyntaxMistake) -> Syntax {
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

  private mutating func constant(_ value: Scalar) -> Syntax {
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

  private mutating func cast(isTry: Bool) throws(SyntaxMistake) -> Syntax {
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
