public import AggregateCore
internal import AggregateState
internal import Dispatch
internal import Synchronization

/// The answers kept between runs, in one SQLite file; opened by its first use.
///
/// Answers are written behind the run, several in one transaction, so that no request waits for the disk;
/// a killed process loses those that were not yet written, and nothing else.
///
/// Keys are hashes: neither addresses nor credentials can be read from the file.
public final class CacheStore: Sendable {
  /// What the cache holds.
  public struct Statistics: Sendable, Hashable {
    /// How many answers.
    public var entries: Int
    /// The size of their bodies, in bytes.
    public var bytes: Int
    /// When the oldest of them was fetched.
    public var oldest: Instant?
  }

  /// An answer as it is kept.
  struct Entry: Sendable {
    var id: Int64
    var vary: String
    var status: Int
    var headers: [HTTPField]
    var body: ByteBuffer
    var url: String
    var fetchedAt: Instant
    var freshUntil: Instant
  }

  private static let version: Int64 = 1
  /// How much is kept, in bytes of bodies; what was used least recently goes first.
  private static let capacity: Int64 = 1_000_000_000

  private struct State {
    var connection: SQLiteConnection?
    var stored = 0
  }

  private enum Change: Sendable {
    case store(Entry)
    case renew(Entry)

    var size: Int { if case .store(let entry) = self { entry.body.count } else { 0 } }
  }

  /// What is still to be written.
  private struct Backlog {
    var changes: [(key: String, change: Change)] = []
    var bytes = 0
    /// The keys of what waits or is being written.
    var keys: [String: Int] = [:]
    var isScheduled = false
    var failure: (any Error)?
  }

  /// How many bytes of bodies may wait to be written; whoever adds more writes them.
  private static let mostBacklog = 4_000_000

  /// The path of the file.
  public let path: String
  private let state = Mutex(State())
  /// Reads what was written without waiting for who writes.
  private let reader = Mutex<SQLiteConnection?>(nil)
  private let backlog = Mutex(Backlog())
  private let queue = DispatchQueue(label: "aggregate.cache")

  /// Describes a store; nothing is opened yet.
  public init(path: String) { self.path = path }

  /// The cache of the user: `cache.db` in ``StateFolder/cache(_:)``.
  public convenience init(environment: [String: String]) {
    self.init(path: "\(StateFolder.cache(environment))/cache.db")
  }

  /// Writes what still waits to be written.
  ///
  /// - Throws: ``AggregateError`` with code `output` when that fails, or failed before unnoticed.
  public func flush() throws {
    if backlog.withLock({ !$0.keys.isEmpty }) { try write() }
    if let failure = backlog.withLock({ $0.failure.take() }) { throw failure }
  }

  /// What is in the cache.
  public func statistics() throws -> Statistics {
    try flush()
    return try with { connection in
      let row = try connection.rows("SELECT count(*), sum(size), min(fetched) FROM answers").first
      return Statistics(
        entries: Int(row?[0].integer ?? 0), bytes: Int(row?[1].integer ?? 0),
        oldest: (row?[2].integer).map { Instant(microseconds: $0) })
    }
  }

  /// Forgets all answers; gives how many there were.
  @discardableResult
  public func clear() throws -> Int {
    try flush()
    return try with { connection in
      let count = try connection.execute("DELETE FROM answers")
      try connection.run(script: "VACUUM")
      return count
    }
  }

  /// The answers kept under `key`, the latest first.
  func entries(_ key: String) throws -> [Entry] {
    if backlog.withLock({ $0.keys[key] != nil }) { try write() }
    return try reading { connection in
      let statement = try connection.prepare(
        "SELECT id, vary, status, headers, url, fetched, fresh_until, body FROM answers"
          + " WHERE key = ? ORDER BY fetched DESC")
      try statement.bind([.text(key)])
      var entries: [Entry] = []
      while try statement.step() {
        guard let id = statement.value(0).integer, let vary = statement.value(1).text,
          let status = statement.value(2).integer, let headers = statement.value(3).text,
          let url = statement.value(4).text, let fetched = statement.value(5).integer,
          let fresh = statement.value(6).integer
        else { continue }
        let body = statement.withBytes(7) { bytes in
          ByteBuffer(capacity: bytes?.count ?? 0) { target in
            if let bytes { target.copyMemory(from: bytes) }
            return bytes?.count ?? 0
          }
        }
        entries.append(
          Entry(
            id: id, vary: vary, status: Int(status), headers: Self.fields(headers), body: body,
            url: url, fetchedAt: Instant(microseconds: fetched),
            freshUntil: Instant(microseconds: fresh)))
      }
      return entries
    }
  }

  /// Keeps an answer in place of the one for the same key and the same varying fields.
  ///
  /// - Throws: What went wrong while answers were written before.
  func store(_ entry: Entry, key: String) throws { try add(.store(entry), key) }

  /// Notes that an answer was confirmed by the server.
  ///
  /// - Throws: What went wrong while answers were written before.
  func renew(_ entry: Entry, key: String) throws { try add(.renew(entry), key) }

  private func add(_ change: Change, _ key: String) throws {
    let (isFull, schedules) = backlog.withLock { backlog in
      backlog.changes.append((key, change))
      backlog.keys[key, default: 0] += 1
      backlog.bytes += change.size
      let schedules = !backlog.isScheduled
      backlog.isScheduled = true
      return (backlog.bytes > Self.mostBacklog, schedules)
    }
    if schedules {
      queue.async {
        self.backlog.withLock { $0.isScheduled = false }
        do { try self.write() } catch { self.backlog.withLock { $0.failure = error } }
      }
    }
    if isFull { try write() }
    if let failure = backlog.withLock({ $0.failure.take() }) { throw failure }
  }

  /// Writes the backlog; whoever comes meanwhile waits until it is written.
  private func write() throws {
    let trims: Bool
    do {
      trims = try writeBacklog()
    } catch {
      // What can't be written is given up: a run may have any number of answers.
      backlog.withLock { backlog in
        backlog.changes = []
        backlog.bytes = 0
        backlog.keys = [:]
      }
      throw error
    }
    guard trims else { return }
    let isDue = state.withLock { state in
      state.stored += 1
      return state.stored % 64 == 1
    }
    if isDue { try trim() }
  }

  private func writeBacklog() throws -> Bool {
    try with { connection -> Bool in
      let changes = backlog.withLock { backlog in
        defer {
          backlog.changes = []
          backlog.bytes = 0
        }
        return backlog.changes
      }
      if changes.isEmpty { return false }
      defer {
        backlog.withLock { backlog in
          for (key, _) in changes {
            let left = (backlog.keys[key] ?? 1) - 1
            backlog.keys[key] = left > 0 ? left : nil
          }
        }
      }
      try connection.transaction {
        for (key, change) in changes { try Self.write(change, key, connection) }
      }
      return true
    }
  }

  private static func write(
    _ change: Change, _ key: String, _ connection: SQLiteConnection
  ) throws {
    switch change {
    case .store(let entry):
      try connection.execute(
        "INSERT OR REPLACE INTO answers"
          + " (key, vary, status, headers, url, fetched, fresh_until, used, size, body)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .text(key), .text(entry.vary), .integer(Int64(entry.status)), .text(text(entry.headers)),
          .text(entry.url), .integer(entry.fetchedAt.microseconds),
          .integer(entry.freshUntil.microseconds), .integer(Instant.now.microseconds),
          .integer(Int64(entry.body.count)), .blob(entry.body.copy(0..<entry.body.count)),
        ])
    case .renew(let entry):
      try connection.execute(
        "UPDATE answers SET headers = ?, fetched = ?, fresh_until = ?, used = ? WHERE id = ?",
        [
          .text(text(entry.headers)), .integer(entry.fetchedAt.microseconds),
          .integer(entry.freshUntil.microseconds), .integer(entry.fetchedAt.microseconds),
          .integer(entry.id),
        ])
    }
  }

  private static func text(_ headers: [HTTPField]) -> String {
    headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  /// Drops what was used least recently until the rest fits.
  private func trim() throws {
    try with { connection in
      let total =
        try connection.rows("SELECT sum(size) FROM answers").first?.first?.integer ?? 0
      guard total > Self.capacity else { return }
      var excess = total - Self.capacity * 4 / 5
      for row in try connection.rows("SELECT id, size FROM answers ORDER BY used") {
        guard excess > 0, let size = row[1].integer else { break }
        try connection.execute("DELETE FROM answers WHERE id = ?", [row[0]])
        excess -= size
      }
    }
  }

  private static func fields(_ text: String) -> [HTTPField] {
    text.split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return HTTPField(String(line[..<colon]), line[line.index(after: colon)...].trimmed)
    }
  }

  private func with<R: Sendable>(_ body: (SQLiteConnection) throws -> R) throws -> R {
    try state.withLock { state in
      if let connection = state.connection { return try body(connection) }
      let opened = try Self.open(path)
      state.connection = opened
      return try body(opened)
    }
  }

  private func reading<R: Sendable>(_ body: (SQLiteConnection) throws -> R) throws -> R {
    try reader.withLock { reader in
      if let reader { return try body(reader) }
      let opened = try Self.open(path)
      reader = opened
      return try body(opened)
    }
  }

  private static func open(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection.openPrivate(path)
    let found = try connection.rows("PRAGMA user_version").first?.first?.integer ?? 0
    if found == version { return connection }
    // Another version's answers are of no use here, and losing them costs only requests.
    try connection.transaction {
      if found != 0 { try connection.run(script: "DROP TABLE IF EXISTS answers") }
      try connection.run(
        script: """
          CREATE TABLE IF NOT EXISTS answers (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL, vary TEXT NOT NULL, status INTEGER NOT NULL,
            headers TEXT NOT NULL, url TEXT NOT NULL, fetched INTEGER NOT NULL,
            fresh_until INTEGER NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL,
            body BLOB NOT NULL, UNIQUE (key, vary));
          PRAGMA user_version = \(version);
          """)
    }
    return connection
  }
}
