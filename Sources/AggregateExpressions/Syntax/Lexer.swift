/// Cuts an expression into tokens.
struct Lexer {
  private let scalars: [Unicode.Scalar]
  private var position = 0

  private static let symbols = [
    "->>", "->", "::", "||", "//", "<=", ">=", "<>", "!=", "==", "+", "-", "*", "/", "%", "=", "<",
    ">", "(", ")", "[", "]", ",", ".",
  ].map { Array($0.unicodeScalars) }

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The tokens of `text`; the last one is the end.
  static func tokens(_ text: String) throws(SyntaxMistake) -> [Token] {
    var lexer = Lexer(text)
    var tokens: [Token] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    position + ahead < scalars.count ? scalars[position + ahead] : nil
  }

  private mutating func next() throws(SyntaxMistake) -> Token {
    skipSpace()
    let start = position
    guard let first = peek() else { return token(.end, "", from: start) }
    if first == "'" { return token(.text, try quoted("'", "text"), from: start) }
    if first == "\"" {
      let name = try quoted("\"", "name")
      if name.isEmpty { throw SyntaxMistake("a quoted name is empty", at: start) }
      return token(.quotedName, name, from: start)
    }
    if Self.isDigit(first) || (first == "." && peek(1).map(Self.isDigit) == true) {
      return try number(from: start)
    }
    if Self.isNameStart(first) {
      while let scalar = peek(), Self.isNameStart(scalar) || Self.isDigit(scalar) { position += 1 }
      return token(.name, string(start..<position), from: start)
    }
    for symbol in Self.symbols
    where start + symbol.count <= scalars.count
      && scalars[start..<start + symbol.count].elementsEqual(symbol)
    {
      position += symbol.count
      return token(.symbol, string(start..<position), from: start)
    }
    throw SyntaxMistake(
      "“\(String(Character(first)))” means nothing in an expression", at: start,
      hint: first == "&" || first == "|" || first == "!" ? "the operators are and, or, not" : nil)
  }

  private mutating func skipSpace() {
    while let scalar = peek() {
      if scalar.properties.isWhitespace {
        position += 1
      } else if scalar == "-", peek(1) == "-" {
        while let scalar = peek(), scalar != "\n" { position += 1 }
      } else {
        return
      }
    }
  }

  private mutating func quoted(
    _ quote: Unicode.Scalar, _ what: String
  ) throws(SyntaxMistake) -> String {
    let start = position
    var value = String.UnicodeScalarView()
    position += 1
    while let scalar = peek() {
      position += 1
      if scalar != quote {
        value.append(scalar)
      } else if peek() == quote {
        value.append(quote)
        position += 1
      } else {
        return String(value)
      }
    }
    throw SyntaxMistake(
      "the \(what) that begins here is not closed", at: start, hint: "a closing \(quote) is missing"
    )
  }

  private mutating func number(from start: Int) throws(SyntaxMistake) -> Token {
    func digits(_ lexer: inout Lexer) {
      while let scalar = lexer.peek(), Self.isDigit(scalar) || scalar == "_" { lexer.position += 1 }
    }
    digits(&self)
    if peek() == "." {
      position += 1
      digits(&self)
    }
    if peek() == "e" || peek() == "E" {
      var ahead = 1
      if peek(1) == "+" || peek(1) == "-" { ahead = 2 }
      if let digit = peek(ahead), Self.isDigit(digit) {
        position += ahead
        digits(&self)
      }
    }
    if let scalar = peek(), Self.isNameStart(scalar) {
      throw SyntaxMistake(
        "a number is followed directly by “\(String(Character(scalar)))”", at: position)
    }
    let text = string(start..<position).filter { $0 != "_" }
    return token(.number, text, from: start)
  }

  private func token(_ kind: Token.Kind, _ text: String, from start: Int) -> Token {
    Token(kind: kind, text: text, offset: start, end: position)
  }

  private func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x30 && scalar.value <= 0x39
  }

  private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_"
  }
}
