internal import AggregateCore
internal import AggregateExpressions

/// Options whose values are aggregates, such as `mean(temp)`.
enum AggregateOption {
  /// An aggregate.
  static let shape = Shape.parsed(kind: "an aggregate, such as count() or mean(temp)") {
    Aggregate.mistake(in: $0)
  }

  /// The aggregate of a node that was checked against ``shape``.
  static func parse(_ node: Node, _ diagnostics: inout Diagnostics) -> Aggregate? {
    ExpressionOption.located(node).flatMap { Aggregate($0, &diagnostics) }
  }
}
