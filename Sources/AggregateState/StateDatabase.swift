internal import AggregateCore
internal import AggregateSQLite
internal import Synchronization

/// What is remembered between runs: cursors, requests made, tokens. Opened by its first use.
///
/// Several processes may use it at once, and a process may be killed at any time.
public final class StateDatabase: Sendable {
  private static let version: Int64 = 1

  /// The path of the file; `:memory:` for one that is forgotten.
  public let path: String
  private let connection = Mutex<SQLiteConnection?>(nil)

  /// Describes a database; nothing is opened yet.
  public init(path: String) { self.path = path }

  /// The database of the user: `state.db` in ``StateFolder/state(_:)``.
  public convenience init(environment: [String: String]) {
    self.init(path: "\(StateFolder.state(environment))/state.db")
  }

  /// Calls `body` with the open database, one caller at a time.
  func with<R: Sendable>(_ body: (SQLiteConnection) throws -> R) throws -> R {
    try connection.withLock { connection in
      if let connection { return try body(connection) }
      let opened = try Self.open(path)
      connection = opened
      return try body(opened)
    }
  }

  private static func open(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection.openPrivate(path)
    try connection.run(script: "PRAGMA secure_delete=ON")
    let found = try connection.rows("PRAGMA user_version").first?.first?.integer ?? 0
    if found > version {
      throw AggregateError(
        .configuration, "\(path) was written by a newer version of this program",
        hint: "update it, or point XDG_STATE_HOME elsewhere")
    }
    if found < version { try connection.transaction { try connection.run(script: tables) } }
    return connection
  }

  private static let tables = """
    CREATE TABLE IF NOT EXISTS cursors (
      config TEXT NOT NULL, source TEXT NOT NULL, partition TEXT NOT NULL,
      value TEXT NOT NULL, updated INTEGER NOT NULL,
      PRIMARY KEY (config, source, partition)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS boundary_keys (
      config TEXT NOT NULL, source TEXT NOT NULL, partition TEXT NOT NULL,
      key TEXT NOT NULL, value TEXT NOT NULL,
      PRIMARY KEY (config, source, partition, key)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS requests (
      id INTEGER PRIMARY KEY, config TEXT NOT NULL, source TEXT NOT NULL, at INTEGER NOT NULL);
    CREATE INDEX IF NOT EXISTS requests_by_time ON requests (config, source, at);
    CREATE TABLE IF NOT EXISTS quotas (
      config TEXT NOT NULL, source TEXT NOT NULL, count INTEGER NOT NULL, seconds INTEGER NOT NULL,
      PRIMARY KEY (config, source)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tokens (
      name TEXT PRIMARY KEY, value TEXT NOT NULL, expires INTEGER) WITHOUT ROWID;
    PRAGMA user_version = 1;
    """
}
