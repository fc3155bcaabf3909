internal import AggregateCore
internal import AggregateExpressions

/// Options whose values are expressions.
enum ExpressionOption {
  /// A scalar expression.
  static let shape = Shape.parsed(kind: "an expression") { Expression.mistake(in: $0) }

  /// The expression of a node that was checked against ``shape``.
  static func parse(_ node: Node, _ diagnostics: inout Diagnostics) -> Expression? {
    located(node).flatMap { Expression($0, &diagnostics) }
  }

  /// The text of a node and the place of its first character, behind the quote if there is one.
  static func located(_ node: Node) -> LocatedText? {
    guard let text = node.string else { return nil }
    let quote = node.scalar?.isPlain == true ? 0 : 1
    return LocatedText(text, at: node.location.advanced(by: quote))
  }

  /// An expression that a stage makes itself, about the column named `column`.
  static func made(
    _ text: (_ column: String) -> String, of column: LocatedText
  ) throws -> Expression {
    var diagnostics = Diagnostics()
    let name =
      "\""
      + column.text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
    guard let made = Expression(LocatedText(text(name), at: column.location), &diagnostics) else {
      throw DiagnosticsError(diagnostics.all)
    }
    return made
  }

  /// `text` as a literal of the expression language.
  static func literal(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
