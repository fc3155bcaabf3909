internal import CDuckDB

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A prepared query.
final class DuckDBStatement {
  private let connection: DuckDBConnection
  private var handle: cduckdb_handle?
  /// The names of the columns of its rows.
  private(set) var names: [String]
  /// Their types.
  let types: [DuckDBType]
  /// Whether it is a query, not a command.
  let isQuery: Bool
  /// How many values it wants to be given.
  let parameterCount: Int

  init(_ handle: cduckdb_handle?, of connection: DuckDBConnection) {
    self.handle = handle
    self.connection = connection
    let functions = connection.functions
    let columns = 0..<functions.prepared_statement_column_count(handle)
    names = columns.map { column in
      let name = functions.prepared_statement_column_name(handle, column)
      defer { functions.free(UnsafeMutableRawPointer(mutating: name)) }
      return name.map { String(cString: $0) } ?? ""
    }
    types = columns.map {
      DuckDBType(functions.prepared_statement_column_logical_type(handle, $0), functions)
    }
    isQuery = functions.prepared_statement_type(handle) == Int32(CDUCKDB_SELECT)
    parameterCount = Int(functions.nparams(handle))
  }

  deinit { connection.functions.destroy_prepare(&handle) }

  /// The same query with other names for its columns.
  func named(_ names: [String]) -> DuckDBStatement {
    self.names = names
    return self
  }

  /// Runs the query until its first rows are there.
  ///
  /// - Throws: ``DuckDBFailure``; `CancellationError` when the task is cancelled, which stops DuckDB.
  func execute() throws -> DuckDBResult {
    let functions = connection.functions
    var pending: cduckdb_handle?
    defer { functions.destroy_pending(&pending) }
    guard functions.pending_prepared_streaming(handle, &pending) == 0 else {
      throw DuckDBFailure(text: DuckDBConnection.text(functions.pending_error(pending)))
    }
    loop: while true {
      if Task.isCancelled {
        connection.interrupt()
        throw CancellationError()
      }
      switch Int(functions.pending_execute_task(pending)) {
      case Int(CDUCKDB_READY): break loop
      case Int(CDUCKDB_FAILED):
        throw DuckDBFailure(text: DuckDBConnection.text(functions.pending_error(pending)))
      case Int(CDUCKDB_NO_TASKS): usleep(200)
      default: continue
      }
    }
    var result = cduckdb_result()
    guard functions.execute_pending(pending, &result) == 0 else {
      defer { functions.destroy_result(&result) }
      throw DuckDBFailure(text: DuckDBConnection.text(functions.result_error(&result)))
    }
    return DuckDBResult(result, types, of: self, functions)
  }
}

/// The rows of a query, piece by piece.
final class DuckDBResult {
  private var result: cduckdb_result
  private let types: [DuckDBType]
  private let statement: DuckDBStatement
  private let functions: cduckdb_functions

  init(
    _ result: cduckdb_result, _ types: [DuckDBType], of statement: DuckDBStatement,
    _ functions: cduckdb_functions
  ) {
    self.result = result
    self.types = types
    self.statement = statement
    self.functions = functions
  }

  deinit { functions.destroy_result(&result) }

  /// Calls `body` with the columns of the next rows; nil after the last.
  ///
  /// - Throws: ``DuckDBFailure``, and what `body` throws.
  func next<R>(_ body: ([DuckDBVector], _ rowCount: Int) throws -> R) throws -> R? {
    var chunk = functions.fetch_chunk(result)
    guard chunk != nil else {
      if let message = functions.result_error(&result), message.pointee != 0 {
        throw DuckDBFailure(text: String(cString: message))
      }
      return nil
    }
    defer { functions.destroy_data_chunk(&chunk) }
    let count = Int(functions.data_chunk_get_size(chunk))
    let vectors = try types.enumerated().map { index, type in
      try DuckDBVector(
        functions.data_chunk_get_vector(chunk, UInt64(index)), type, count: count, functions)
    }
    return try body(vectors, count)
  }
}
