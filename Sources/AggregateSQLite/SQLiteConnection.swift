public import AggregateCore
internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A connection to a SQLite database; belongs to one task or lock at a time.
///
/// Statements are prepared once per text and kept.
public final class SQLiteConnection {
  /// A value of a column or a parameter.
  public enum Value: Sendable, Hashable {
    /// NULL.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
  }

  /// The path, `:memory:` or empty for a temporary database.
  public let path: String
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens or creates a database.
  ///
  /// - Parameters:
  ///   - isPrivate: Whether a new file is readable by its owner only.
  ///   - isReadOnly: Whether the file must exist and is not written to.
  ///   - busySeconds: How long to wait for another process that holds the lock.
  /// - Throws: ``AggregateError`` with code `output` when it can't be opened.
  public init(
    path: String, isPrivate: Bool = false, isReadOnly: Bool = false, busySeconds: Int = 10
  ) throws {
    self.path = path
    if isPrivate && !isReadOnly && path != ":memory:" && !path.isEmpty {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let message = Self.message(handle)
      sqlite3_close_v2(handle)
      handle = nil
      throw AggregateError(.output, "\(path): the database could not be opened: \(message)")
    }
    sqlite3_busy_timeout(handle, Int32(clamping: busySeconds * 1000))
  }

  /// Opens or creates a database that several processes use, and that is the user's alone.
  ///
  /// The folder is created too. A killed process leaves the last complete transaction.
  ///
  /// - Parameter pageSize: The size of the pages of a new file, in bytes; a power of two.
  public static func openPrivate(
    _ path: String, pageSize: Int? = nil
  ) throws -> SQLiteConnection {
    if path != ":memory:", let slash = path.lastIndex(of: "/") {
      try PrivateFolder.create(String(path[..<slash]))
    }
    // On a busy disk a single transaction of another process may take long.
    let busySeconds = 30
    let connection = try SQLiteConnection(path: path, isPrivate: true, busySeconds: busySeconds)
    // It is fixed by the change to the log.
    if let pageSize { try connection.run(script: "PRAGMA page_size=\(pageSize)") }
    try connection.useWriteAheadLog(waitingSeconds: busySeconds)
    try connection.run(script: "PRAGMA synchronous=NORMAL")
    return connection
  }

  /// Changes to the write-ahead log, which lets readers and a writer work side by side.
  ///
  /// SQLite does not wait for a lock in this change: several processes that open a new file at once
  /// are told at once that it is busy, and have to try again themselves.
  private func useWriteAheadLog(waitingSeconds: Int) throws {
    let deadline = ContinuousClock.now.advanced(by: .seconds(waitingSeconds))
    while true {
      let code = sqlite3_exec(handle, "PRAGMA journal_mode=WAL", nil, nil, nil)
      if code == SQLITE_OK { return }
      guard code & 0xFF == SQLITE_BUSY, ContinuousClock.now < deadline else { throw failure() }
      usleep(5000)
    }
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs a statement; gives how many rows it changed.
  @discardableResult
  public func execute(_ sql: String, _ values: [Value] = []) throws -> Int {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() {}
    return Int(sqlite3_changes64(handle))
  }

  /// Runs a statement whose last parameter is `blob`, which is not copied before it is written.
  @discardableResult
  public func execute(_ sql: String, _ values: [Value], blob: ByteBuffer) throws -> Int {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.withBound(blob, at: values.count) {
      while try statement.step() {}
      return Int(sqlite3_changes64(handle))
    }
  }

  /// Runs a query; calls `body` with the statement at each row.
  public func each(
    _ sql: String, _ values: [Value] = [], _ body: (SQLiteStatement) throws -> Void
  ) throws {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    while try statement.step() { try body(statement) }
  }

  /// Runs a query; gives its rows.
  public func rows(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
    let statement = try cached(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var rows: [[Value]] = []
    while try statement.step() { rows.append((0..<statement.columnCount).map(statement.value)) }
    return rows
  }

  /// Runs several statements without parameters.
  public func run(script: String) throws {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs `body` in a transaction that holds the write lock from its beginning.
  public func transaction<R>(_ body: () throws -> R) throws -> R {
    try run(script: "BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run(script: "COMMIT")
      return result
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// A statement to be bound and stepped by the caller; the connection must outlive it.
  public func prepare(_ sql: String) throws -> SQLiteStatement {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw failure()
    }
    return SQLiteStatement(statement, of: self)
  }

  /// Which byte of the last statement the last error is about; nil when it is about none.
  public var errorOffset: Int? {
    let offset = sqlite3_error_offset(handle)
    return offset < 0 ? nil : Int(offset)
  }

  /// The row that was inserted last.
  public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  func failure() -> AggregateError {
    AggregateError(.output, "\(path): \(Self.message(handle))")
  }

  /// Whether a file is no database, or a damaged one; false when it can't be read now.
  ///
  /// - Complexity: O(size of the file).
  public static func isDamaged(_ path: String) -> Bool {
    guard let connection = try? SQLiteConnection(path: path) else { return false }
    if let rows = try? connection.rows("PRAGMA quick_check(1)") { return rows != [[.text("ok")]] }
    return [SQLITE_CORRUPT, SQLITE_NOTADB].contains(sqlite3_errcode(connection.handle) & 0xFF)
  }

  private func cached(_ sql: String) throws -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql)
    statement.isKept = true
    statements[sql] = statement
    return statement
  }

  private static func message(_ handle: OpaquePointer?) -> String {
    sqlite3_errmsg(handle).map { String(cString: $0) } ?? "out of memory"
  }
}
