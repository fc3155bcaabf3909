/// The language of expressions, as far as a configuration needs it before there are rows.
public protocol ExpressionLanguage: Sendable {
  /// The syntax mistake in `text`; nil when there is none.
  func mistake(in text: String) -> Shape.Mistake?

  /// The value of an expression that knows `texts` as columns.
  ///
  /// - Throws: ``DiagnosticsError`` for what is wrong with the expression, else why it can't be computed.
  func value(of text: LocatedText, over texts: [(name: String, value: String)]) throws -> Value
}
