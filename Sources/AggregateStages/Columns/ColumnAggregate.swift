internal import AggregateCore
internal import AggregateExpressions

/// An aggregate on its way: what it has gathered, and the column it is for.
final class ColumnAggregate {
  private let accumulator: AggregateAccumulator
  private let column: String
  private let log: RunLog

  /// Creates an empty aggregate for `column`.
  init(_ bound: BoundAggregate, into column: String, _ log: RunLog) {
    accumulator = bound.makeAccumulator()
    self.column = column
    self.log = log
  }

  /// Adds each row of `batch` to the group that `groups` names for it.
  func update(_ batch: Batch, groups: [Int32], groupCount: Int) throws {
    try accumulator.update(batch, groups: groups, groupCount: groupCount, into: column, log: log)
  }

  /// The value of each group.
  func finish(groupCount: Int) throws -> Column {
    try accumulator.finish(groupCount: groupCount, into: column, log: log)
  }
}
