internal import AggregateCore
internal import AggregateExpressions

/// What a window needs to know.
struct WindowPlan: Sendable {
  let input: Schema
  let output: Schema
  let by: [ColumnReference]
  let sort: [ColumnReference]
  let descending: [Bool]
  let frame: Int?
  let columns: [WindowColumn]
  let arguments: [BoundExpression?]
  /// Where each computed column stands when it is put in, in order.
  let places: [Int]
  let context: StageContext
}
