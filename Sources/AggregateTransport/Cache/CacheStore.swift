public import AggregateCore
internal import AggregateSQLite
internal import AggregateState
internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The answers kept between runs, in one SQLite file; opened by its first use.
///
/// Answers are written behind the run, many in one transaction, so that no request waits for the disk;
/// a killed process loses those that were not yet written, and nothing else. Several processes may use
/// the file at once.
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

  /// How much is kept, in bytes of bodies; what was used least recently goes first.
  private static let usualCapacity: Int64 = 1_000_000_000
  /// How long it takes until another use of an answer is noted, in seconds.
  private static let useInterval: Double = 86_400

  private struct Writer {
    var database: CacheDatabase?
    var batches = 0
  }

  /// The path of the file.
  public let path: String
  private let capacity: Int64
  private let writer = Mutex(Writer())
  /// Reads what was written without waiting for who writes.
  private let reader = Mutex<CacheDatabase?>(nil)
  private let backlog = Mutex(CacheBacklog())
  private let queue = DispatchQueue(label: "aggregate.cache")

  /// Describes a store; nothing is opened yet.
  public convenience init(path: String) { self.init(path: path, capacity: Self.usualCapacity) }

  init(path: String, capacity: Int64) {
    self.path = path
    self.capacity = capacity
  }

  /// The cache of the user: `cache.db` in ``StateFolder/cache(_:)``.
  public convenience init(environment: [String: String]) {
    self.init(path: "\(StateFolder.cache(environment))/cache.db")
  }

  // MARK: - For the user

  /// Writes what still waits to be written.
  ///
  /// - Throws: ``AggregateError`` with code `output` when that fails, or failed before unnoticed.
  public func flush() throws {
    try write()
    try tellFailure()
  }

  /// What is in the cache.
  public func statistics() throws -> Statistics {
    try flush()
    return try reading { try $0.statistics() }
  }

  /// Forgets all answers; gives how many there were, 0 when the file was damaged.
  @discardableResult
  public func clear() throws -> Int {
    do {
      try flush()
      return try writing { try $0.clear() }
    } catch {
      guard SQLiteConnection.isDamaged(path) else { throw error }
      try removeFiles(because: error)
      return 0
    }
  }

  /// Removes a file that nothing can be done with any more.
  private func removeFiles(because error: any Error) throws {
    try writer.withLock { writer in
      writer.database = nil
      reader.withLock { $0 = nil }
      // The log before the file: a new file would take it for its own.
      for file in ["\(path)-wal", path, "\(path)-shm"] where unlink(file) != 0 && errno != ENOENT {
        throw error
      }
    }
  }

  // MARK: - For the client

  /// The latest answer under `key` of a variant that `matches`.
  func newest(_ key: CacheKey, matching matches: (String) -> Bool) throws -> CacheEntry? {
    if backlog.withLock({ $0.holds(key.text) }) { try write() }
    return try reading { try $0.newest(key.text, matches) }
  }

  /// Keeps an answer in place of the one for the same key and the same variant.
  ///
  /// - Throws: What went wrong while answers were written before; so do the others.
  func store(_ entry: CacheEntry, key: CacheKey) throws { try add(.store(entry), key.text) }

  /// Notes that the server confirmed `old`.
  func renew(_ entry: CacheEntry, key: CacheKey, insteadOf old: CacheEntry) throws {
    try add(.renew(entry, insteadOf: old), key.text)
  }

  /// Forgets an answer.
  func remove(_ entry: CacheEntry, key: CacheKey) throws { try add(.remove(entry), key.text) }

  /// Notes that an answer was used, at most once a day: the file is not written to by each reading.
  func used(_ entry: CacheEntry, key: CacheKey, now: Instant) throws {
    guard CacheFreshness.seconds(from: entry.usedAt, to: now) > Self.useInterval else { return }
    try add(.used(entry, at: now), key.text)
  }

  /// Forgets all answers of an address, whoever asked for them.
  func invalidate(target: String) throws {
    let isWaiting = backlog.withLock { $0.holds(target: target) }
    if !isWaiting {
      // Most sources that send something read by it, and nothing asks for its address by GET.
      guard access(path, F_OK) == 0, try reading({ try $0.holds(target: target) }) else { return }
    }
    try add(.invalidate(target: target), target)
    try write()
  }

  // MARK: - Writing behind

  private func add(_ change: CacheDatabase.Change, _ key: String) throws {
    switch backlog.withLock({ $0.add(change, key) }) {
    case .nothing: break
    case .later:
      queue.asyncAfter(deadline: .now() + .milliseconds(CacheBacklog.delay)) { [weak self] in
        self?.writeNotingFailure()
      }
    case .now: queue.async { [weak self] in self?.writeNotingFailure() }
    case .yourself: try write()
    }
    try tellFailure()
  }

  private func tellFailure() throws {
    if let failure = backlog.withLock({ $0.failure.take() }) { throw failure }
  }

  private func writeNotingFailure() {
    do { try write() } catch { backlog.withLock { $0.failure = error } }
  }

  /// Writes the backlog; whoever comes meanwhile waits until it is written.
  private func write() throws {
    // What is being written by another thread counts as waiting, too.
    if backlog.withLock({ $0.isEmpty }) { return }
    try writer.withLock { writer in
      // Taken under the lock of the connection, so that the order is kept.
      let changes = backlog.withLock { $0.take() }
      if changes.isEmpty { return }
      // What can't be written is given up: a run may have any number of answers.
      defer { backlog.withLock { $0.done(changes) } }
      let database = try Self.open(&writer.database, path)
      try database.apply(changes)
      if writer.batches % 64 == 0 { try database.trim(to: capacity) }
      writer.batches += 1
    }
  }

  private func writing<R: Sendable>(_ body: (CacheDatabase) throws -> R) throws -> R {
    try writer.withLock { try body(Self.open(&$0.database, path)) }
  }

  private func reading<R: Sendable>(_ body: (CacheDatabase) throws -> R) throws -> R {
    try reader.withLock { try body(Self.open(&$0, path)) }
  }

  private static func open(_ database: inout CacheDatabase?, _ path: String) throws -> CacheDatabase
  {
    if let database { return database }
    let opened = try CacheDatabase(path: path)
    database = opened
    return opened
  }
}
