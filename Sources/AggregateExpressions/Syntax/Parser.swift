/// Parses expressions by operator precedence, as DuckDB does.
///
/// From loose to tight: OR, AND, NOT, IS, comparison, BETWEEN/IN/LIKE, `||` and the arrows, `+ -`,
/// `* / // %`, unary minus, `::`, `[ ]` and members.
struct Parser {
  /// The deepest nesting; deeper ones are refused, so that evaluation cannot exhaust a stack.
  static let maximumDepth = 300

  enum Level {
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
  static let reserved: Set<String> = [
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

  var token: Token { tokens[position] }

  func ahead(_ count: Int) -> Token { tokens[min(position + count, tokens.count - 1)] }

  mutating func advance() { if position + 1 < tokens.count { position += 1 } }

  mutating func take(word: String) -> Bool {
    guard token.isWord(word) else { return false }
    advance()
    return true
  }

  mutating func take(symbol: String) -> Bool {
    guard token.isSymbol(symbol) else { return false }
    advance()
    return true
  }

  func unexpected(_ wanted: String) -> SyntaxMistake {
    SyntaxMistake("\(wanted) is expected here, not \(token.shown)", at: token.offset)
  }

  mutating func expect(word: String) throws(SyntaxMistake) {
    if !take(word: word) { throw unexpected("“\(word)”") }
  }

  mutating func expect(symbol: String) throws(SyntaxMistake) {
    if !take(symbol: symbol) { throw unexpected("“\(symbol)”") }
  }

  func made(
    _ kind: Syntax.Kind, at offset: Int, _ parts: [Syntax]
  ) throws(SyntaxMistake) -> Syntax {
    let syntax = Syntax(kind, at: offset, parts: parts)
    if syntax.depth > Self.maximumDepth {
      throw SyntaxMistake(
        "the expression is nested more than \(Self.maximumDepth) deep", at: offset)
    }
    return syntax
  }

  mutating func expression(_ minimum: Int) throws(SyntaxMistake) -> Syntax {
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

  mutating func castTarget() throws(SyntaxMistake) -> CastTarget {
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
}
