import AggregateCore
import AggregateSinks

/// Where the rows of a run end: an encoded format, or a database.
protocol RunOutput: RowOutput {
  /// How many rows were taken.
  var rowCount: Int { get }

  /// Ends the output: an empty result still has its columns.
  ///
  /// - Parameter isComplete: Whether the run succeeded; after a failure nothing is begun any more.
  func finish(isComplete: Bool) throws
}

extension EncodedOutput: RunOutput {}

extension SQLiteOutput: RunOutput, OutputCommit {}

extension PostgreSQLOutput: RunOutput, OutputCommit {}
