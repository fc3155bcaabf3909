/// One word of an expression.
struct Token: Equatable {
  enum Kind: Equatable {
    /// A name, not quoted.
    case name
    /// A name in double quotes.
    case quotedName
    /// Text in single quotes.
    case text
    /// A number as it was written.
    case number
    /// An operator or a bracket.
    case symbol
    case end
  }

  let kind: Kind
  /// What it says: the name, the text without its quotes, the symbol.
  let text: String
  /// Where it begins, in scalars from the beginning of the expression.
  let offset: Int
  /// Where it ends.
  let end: Int

  /// Whether it is this keyword, in any case.
  func isWord(_ word: String) -> Bool {
    kind == .name && text.utf8.count == word.utf8.count
      && zip(text.utf8, word.utf8).allSatisfy { $0 | 0x20 == $1 }
  }

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

  /// How a message calls it.
  var shown: String {
    switch kind {
    case .end: "the end"
    case .text: "'\(text)'"
    case .quotedName: "\"\(text)\""
    default: "“\(text)”"
    }
  }
}

/// What is wrong with an expression, and where.
struct SyntaxMistake: Error {
  let message: String
  let offset: Int
  let hint: String?
  let code: String

  init(_ message: String, at offset: Int, hint: String? = nil, code: String = "expression") {
    self.message = message
    self.offset = offset
    self.hint = hint
    self.code = code
  }
}
