internal import CDuckDB
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// What DuckDB says when it refuses.
struct DuckDBFailure: Error {
  /// Its words, with the line and the caret.
  let text: String
}

/// A connection to a database of its own, in memory as far as it fits; belongs to one task at a time.
final class DuckDBConnection {
  let functions: cduckdb_functions
  private var database: cduckdb_handle?
  private var connection: cduckdb_handle?
  private static let count = Mutex(0)

  /// The least that DuckDB can work with, in bytes.
  static let leastMemory = 64 << 20

  /// Creates an empty database.
  ///
  /// - Parameters:
  ///   - maxMemory: How many bytes it may keep in memory, at least ``leastMemory``.
  ///   - temporaryDirectory: Where the rest goes.
  /// - Throws: ``DuckDBFailure``.
  init(_ library: DuckDBLibrary, maxMemory: Int, temporaryDirectory: String) throws {
    functions = library.functions
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    var configuration: cduckdb_handle?
    guard functions.create_config(&configuration) == 0 else {
      throw DuckDBFailure(text: "out of memory")
    }
    defer { functions.destroy_config(&configuration) }
    let settings = [
      ("memory_limit", "\(max(maxMemory, Self.leastMemory) / 1024)KiB"),
      ("temp_directory", "\(temporaryDirectory)/aggregate-duckdb-\(getpid())-\(number)"),
      // Nothing is fetched from the network behind the user's back.
      ("autoinstall_known_extensions", "false"),
    ]
    for (name, value) in settings { _ = functions.set_config(configuration, name, value) }
    var message: UnsafeMutablePointer<CChar>?
    let code = functions.open_ext(nil, &database, configuration, &message)
    guard code == 0 else {
      let text = message.map { String(cString: $0) } ?? "the database could not be opened"
      functions.free(message)
      throw DuckDBFailure(text: text)
    }
    guard functions.connect(database, &connection) == 0 else {
      functions.close(&database)
      throw DuckDBFailure(text: "the database could not be opened")
    }
    // Only where the part of DuckDB that knows time zones is there.
    try? run("SET TimeZone = 'UTC'")
  }

  deinit {
    functions.disconnect(&connection)
    functions.close(&database)
  }

  /// Runs a statement without results.
  ///
  /// - Throws: ``DuckDBFailure``.
  func run(_ sql: String) throws {
    var result = cduckdb_result()
    let code = functions.query(connection, sql, &result)
    defer { functions.destroy_result(&result) }
    if code != 0 { throw DuckDBFailure(text: Self.text(functions.result_error(&result))) }
  }

  /// Prepares a query.
  ///
  /// - Throws: ``DuckDBFailure``.
  func prepare(_ query: String) throws -> DuckDBStatement {
    var statement: cduckdb_handle?
    let code = functions.prepare(connection, query, &statement)
    guard code == 0 else {
      defer { functions.destroy_prepare(&statement) }
      throw DuckDBFailure(text: Self.text(functions.prepare_error(statement)))
    }
    return DuckDBStatement(statement, of: self)
  }

  /// What takes rows for a table.
  ///
  /// - Throws: ``DuckDBFailure``.
  func appender(to table: String, _ types: [DuckDBColumnKind]) throws -> DuckDBAppender {
    var appender: cduckdb_handle?
    let code = functions.appender_create(connection, nil, table, &appender)
    guard code == 0 else {
      defer { _ = functions.appender_destroy(&appender) }
      throw DuckDBFailure(text: Self.text(functions.appender_error(appender)))
    }
    return DuckDBAppender(appender, types, of: self)
  }

  /// Stops what runs.
  func interrupt() { functions.interrupt(connection) }

  static func text(_ message: UnsafePointer<CChar>?) -> String {
    message.map { String(cString: $0) } ?? "out of memory"
  }
}
