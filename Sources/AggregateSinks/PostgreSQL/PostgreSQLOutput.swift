public import AggregateCore
internal import AggregateFormats
internal import Synchronization

/// Writes rows into a table of a PostgreSQL database, all of them or none.
///
/// Rows go to a temporary table with `COPY` as they arrive; at the end one transaction moves them into
/// the table. It is made when there is none; columns that it lacks are added.
public final class PostgreSQLOutput: GatheringOutput {
  private struct State {
    /// Nil once the output ended: closing it undoes what was not committed.
    var connection: PostgreSQLConnection?
    var schema: Schema?
    var layout: FlattenTransform?
    var rows = PostgreSQLRows([])
    var rowCount = 0

    var columns: [ColumnSpec] { layout?.output.columns ?? schema?.columns ?? [] }
  }

  private let target: PostgreSQLTarget
  private let policy: NewColumnPolicy
  private let state: Mutex<State>

  /// Connects to the server.
  ///
  /// - Parameter policy: What happens to a column that the first rows did not have.
  /// - Throws: ``AggregateError`` with code `output` when that fails or libpq is not installed.
  public init(_ target: PostgreSQLTarget, policy: NewColumnPolicy) throws {
    self.target = target
    self.policy = policy
    state = Mutex(State(connection: try PostgreSQLConnection(target)))
  }

  /// The version of libpq, such as `15.14`.
  ///
  /// - Throws: ``AggregateError`` with code `unavailable` when it is not installed.
  public static func libraryVersion() throws -> String {
    try PostgreSQLConnection.libraryVersion()
  }

  /// How many rows came.
  public var rowCount: Int { state.withLock { $0.rowCount } }

  /// Keeps the schema for the layout.
  public func begin(_ schema: Schema) { state.withLock { $0.schema = schema } }

  /// Sends the rows of a batch to the server.
  public func take(_ batch: Batch) throws -> Demand {
    guard batch.rowCount > 0 else { return .more }
    try state.withLock { state in
      if state.layout == nil { try Self.lay(out: batch, policy, &state) }
      guard let flat = try state.layout?.apply(batch) else { return }
      try state.connection?.copy(state.rows.encode(flat))
      state.rowCount += flat.rowCount
    }
    return .more
  }

  /// Lays out the columns of an empty result.
  ///
  /// - Parameter isComplete: Whether the run succeeded.
  public func finish(isComplete: Bool) throws {
    guard isComplete else { return }
    try state.withLock { state in
      if state.layout == nil, let schema = state.schema {
        try Self.lay(out: .empty(schema), policy, &state)
      }
    }
  }

  /// Puts the rows into the table, in one transaction.
  ///
  /// - Throws: ``AggregateError`` with code `output`, or `badData` for rows the table can't have.
  public func commit() throws {
    try state.withLock { state in
      guard let connection = state.connection else { return }
      if !state.columns.isEmpty, state.layout != nil { try connection.endCopy() }
      let table = PostgreSQLTable(connection, target, state.columns, state.rows.facts)
      try connection.run("BEGIN")
      // A failure leaves the transaction open; closing the connection undoes it.
      try table.fill()
      try connection.run("COMMIT")
      state.connection = nil
    }
  }

  /// Forgets the rows; the table is as it was before.
  public func discard() { state.withLock { $0.connection = nil } }

  private static func lay(
    out batch: Batch, _ policy: NewColumnPolicy, _ state: inout State
  ) throws {
    let layout = try FlattenTransform(batch.schema, learning: [batch], policy: policy)
    try PostgreSQLTable.checkNames(layout.output.names)
    let columns = layout.output.columns
    state.layout = layout
    state.rows = PostgreSQLRows(columns)
    guard !columns.isEmpty, let connection = state.connection else { return }
    let names = columns.indices.map { "c\($0) text" }.joined(separator: ", ")
    try connection.run("CREATE TEMP TABLE aggregate_arrived (n bigint, \(names))")
    try connection.beginCopy("COPY pg_temp.aggregate_arrived FROM STDIN")
  }
}
