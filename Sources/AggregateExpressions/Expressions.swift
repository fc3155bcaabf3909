public import AggregateCore

/// The expressions of this module, for those who know the language by its protocol only.
public struct Expressions: ExpressionLanguage {
  /// Creates the language.
  public init() {}

  /// The syntax mistake in `text`; nil when there is none.
  public func mistake(in text: String) -> Shape.Mistake? { Expression.mistake(in: text) }

  /// The value of an expression that knows `texts` as columns.
  ///
  /// - Throws: ``DiagnosticsError`` for what is wrong with the expression.
  public func value(
    of text: LocatedText, over texts: [(name: String, value: String)]
  ) throws -> Value {
    var diagnostics = Diagnostics()
    guard let expression = Expression(text, &diagnostics) else {
      throw DiagnosticsError(diagnostics.all)
    }
    let schema = Schema(texts.map { ColumnSpec($0.name, .text) })
    let batch = Batch(
      schema: schema, columns: texts.map { .constant($0.value, count: 1) }, rowCount: 1)
    return try expression.bind(schema).evaluate(batch, into: "params", log: .silent).value(at: 0)
  }
}
