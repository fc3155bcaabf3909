public import AggregateCore
internal import AggregateFormats
internal import AggregateSQLite
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes rows into a table of a SQLite database, all of them or none.
///
/// Nested values are laid out as in the flat formats. The table is made when there is none; columns
/// that it lacks are added.
public final class SQLiteOutput: GatheringOutput {
  /// What changes while rows arrive.
  private struct State {
    let connection: SQLiteConnection
    var schema: Schema?
    var layout: FlattenTransform?
    var insertion: SQLiteStatement?
    var facts: [SQLiteColumnFacts] = []
    var rowCount = 0

    /// The columns of the table.
    var columns: [ColumnSpec] { layout?.output.columns ?? schema?.columns ?? [] }
  }

  private let target: SQLiteTarget
  private let policy: NewColumnPolicy
  private let log: RunLog
  private let isNew: Bool
  private let state: Mutex<State>

  /// Opens the database, or creates it.
  ///
  /// - Parameter policy: What happens to a column that the first rows did not have.
  /// - Throws: ``AggregateError`` with code `output` when it can't be opened or is no database.
  public init(_ target: SQLiteTarget, policy: NewColumnPolicy, log: RunLog) throws {
    self.target = target
    self.policy = policy
    self.log = log
    isNew = access(target.path, F_OK) != 0
    let connection = try SQLiteConnection(path: target.path)
    // Told now rather than after everything was fetched.
    _ = try connection.rows("SELECT count(*) FROM sqlite_master")
    if !isNew, access(target.path, W_OK) != 0 {
      throw AggregateError(.output, "\(target.path) can't be written to")
    }
    try connection.run(script: "BEGIN")
    state = Mutex(State(connection: connection))
  }

  /// How many rows came.
  public var rowCount: Int { state.withLock { $0.rowCount } }

  /// Keeps the schema for the layout.
  public func begin(_ schema: Schema) { state.withLock { $0.schema = schema } }

  /// Gathers the rows of a batch.
  public func take(_ batch: Batch) throws -> Demand {
    guard batch.rowCount > 0 else { return .more }
    try state.withLock { try Self.gather(batch, policy, &$0) }
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

  /// Puts the gathered rows into the table, in one transaction.
  ///
  /// - Throws: ``AggregateError`` with code `output`, or `badData` for rows the table can't have.
  public func commit() throws {
    do {
      try state.withLock { state in
        state.insertion = nil
        try state.connection.run(script: "COMMIT")
        let table = SQLiteTable(state.connection, target, state.columns, state.facts)
        for warning in try state.connection.transaction({ try table.fill() }) { log.warn(warning) }
      }
    } catch {
      removeIfNew()
      throw error
    }
  }

  /// Forgets the rows; the table is as it was before.
  public func discard() {
    state.withLock { state in
      state.insertion = nil
      try? state.connection.run(script: "ROLLBACK")
    }
    removeIfNew()
  }

  private func removeIfNew() { if isNew { unlink(target.path) } }

  private static func lay(
    out batch: Batch, _ policy: NewColumnPolicy, _ state: inout State
  ) throws {
    let layout = try FlattenTransform(batch.schema, learning: [batch], policy: policy)
    try SQLiteTable.checkNames(layout.output.names)
    let columns = layout.output.columns
    if !columns.isEmpty {
      let names = columns.indices.map { "c\($0)" }.joined(separator: ",")
      let marks = columns.map { _ in "?" }.joined(separator: ",")
      try state.connection.run(script: "CREATE TEMP TABLE arrived (\(names))")
      state.insertion = try state.connection.prepare("INSERT INTO arrived VALUES (\(marks))")
    }
    state.layout = layout
    state.facts = columns.map { _ in SQLiteColumnFacts() }
  }

  private static func gather(
    _ batch: Batch, _ policy: NewColumnPolicy, _ state: inout State
  ) throws {
    if state.layout == nil { try lay(out: batch, policy, &state) }
    guard let flat = try state.layout?.apply(batch), let insertion = state.insertion else { return }
    for row in 0..<flat.rowCount {
      for (index, column) in flat.columns.enumerated() {
        let value = SQLiteValues.value(column, row)
        state.facts[index].note(value)
        try insertion.bind(value, at: index)
      }
      while try insertion.step() {}
      insertion.reset()
    }
    state.rowCount += flat.rowCount
  }
}
