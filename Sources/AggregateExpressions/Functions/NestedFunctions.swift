import AggregateCore

/// Functions of JSON and lists.
enum NestedFunctions {
  static let element: Kernel = { _, _ in .null }
  static let member: Kernel = { _, _ in .null }

  static func arrow(
    _ a: Bound, _ b: Bound, asText: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    throw SyntaxMistake("arrows are not known", at: offset)
  }

  static func asJSON(_ type: ExpressionType) -> Kernel { { arguments, _ in arguments[0] } }
}
