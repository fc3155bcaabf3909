internal import AggregateCore

/// Fills the table and runs the query of DuckDB when all rows are there.
final class DuckDBTransform: StreamTransform {
  private let connection: DuckDBConnection
  private let table: DuckDBTable
  private let query: DuckDBQuery
  private let output: Schema
  private let log: RunLog

  /// Creates the empty table.
  ///
  /// - Throws: ``AggregateError`` when DuckDB does not start.
  init(
    _ library: DuckDBLibrary, _ query: DuckDBQuery, _ output: Schema, _ context: StageContext
  ) throws {
    do {
      connection = try DuckDBConnection(
        library, maxMemory: context.memory.total, temporaryDirectory: context.temporaryDirectory)
    } catch let failure as DuckDBFailure {
      throw AggregateError(.limit, "sql: \(DuckDBMessage(failure.text).text)")
    }
    table = DuckDBTable(query.input, connection)
    self.query = query
    self.output = output
    log = context.log
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    try failing(.limit) { try table.insert(batch, log) }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    try failing(.limit) { try table.finish() }
    let statement = try query.prepare(connection)
    let names = UniqueNames.numbered(statement.names)
    guard names == output.names else {
      throw AggregateError(
        .badData, "sql: the columns of the result depend on the rows",
        hint: "name them in the query")
    }
    let values = DuckDBValues(log: log)
    try failing(.badData) {
      let result = try statement.execute()
      while true {
        let batch = try result.next { vectors, count in
          let columns = try zip(vectors, names).map { try values.column($0, $1) }
          return Batch(schema: output, columns: columns, rowCount: count)
        }
        guard let batch else { return }
        try Task.checkCancellation()
        if batch.rowCount > 0, try emit(batch) == .enough { return }
      }
    }
  }

  /// Calls `body` and gives its failure the place of the query.
  private func failing(_ code: AggregateError.Code, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let failure as DuckDBFailure {
      let found = query.diagnostic(failure)
      let isMemory = failure.text.hasPrefix("Out of Memory")
      throw AggregateError(
        isMemory ? .limit : code, found.message,
        hint: isMemory ? "give --max-memory more" : nil, location: found.location)
    }
  }
}
