internal import AggregateCore
internal import AggregateSQLite

/// One connection to the file of the cache; belongs to one lock.
///
/// What tells of an answer and its body are in tables of their own: to confirm an answer does not
/// write its body again, and what is counted or dropped is found without reading bodies.
final class CacheDatabase {
  /// A change of what is kept.
  enum Change: Sendable {
    case store(CacheEntry)
    /// An answer that was confirmed, in place of the one that was asked about.
    case renew(CacheEntry, insteadOf: CacheEntry)
    case remove(CacheEntry)
    case used(CacheEntry, at: Instant)
    /// All answers of an address.
    case invalidate(target: String)

    /// How many bytes it keeps in memory.
    var size: Int {
      switch self {
      case .store(let entry), .renew(let entry, _), .remove(let entry), .used(let entry, _):
        entry.body.count
      case .invalidate: 0
      }
    }
  }

  private static let version: Int64 = 2
  /// A usual body is a few pages instead of a dozen: each is written on its own, twice.
  private static let pageSize = 16_384
  /// How large the log grows before its pages are moved to the file, in pages.
  private static let logPages = 500

  private let connection: SQLiteConnection

  /// Opens or creates the file.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  init(path: String) throws {
    connection = try SQLiteConnection.openPrivate(path, pageSize: Self.pageSize)
    try connection.run(
      script: "PRAGMA wal_autocheckpoint = \(Self.logPages); PRAGMA temp_store = MEMORY")
    if try version() == Self.version { return }
    try connection.transaction {
      let found = try version()
      // Another process was faster.
      if found == Self.version { return }
      // Another version's answers are of no use here, and losing them costs only requests.
      if found != 0 { try connection.run(script: Self.removal) }
      try connection.run(script: Self.tables)
    }
  }

  private func version() throws -> Int64 {
    try connection.rows("PRAGMA user_version").first?.first?.integer ?? 0
  }

  private static let removal = "DROP TABLE IF EXISTS answers; DROP TABLE IF EXISTS bodies;"

  private static let tables = """
    CREATE TABLE IF NOT EXISTS answers (
      id INTEGER PRIMARY KEY, key TEXT NOT NULL, vary TEXT NOT NULL, status INTEGER NOT NULL,
      headers TEXT NOT NULL, fetched INTEGER NOT NULL,
      fresh_until INTEGER NOT NULL, used INTEGER NOT NULL, size INTEGER NOT NULL,
      UNIQUE (key, vary));
    CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used, size, fetched);
    CREATE TABLE IF NOT EXISTS bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
    CREATE TRIGGER IF NOT EXISTS bodies_of_answers AFTER DELETE ON answers BEGIN
      DELETE FROM bodies WHERE id = OLD.id;
    END;
    PRAGMA user_version = \(version);
    """

  // MARK: - Reading

  /// The latest answer under `key` that `matches` says is the wanted variant.
  func newest(_ key: String, _ matches: (String) -> Bool) throws -> CacheEntry? {
    var found: CacheEntry?
    try connection.each(Self.selection, [.text(key)]) { row in
      guard let vary = row.value(1).text, matches(vary), let fetched = row.value(4).integer,
        fetched > found?.fetchedAt.microseconds ?? .min
      else { return }
      found = Self.entry(row, vary, fetched)
    }
    guard var entry = found else { return nil }
    var isWhole = false
    try connection.each(
      "SELECT body FROM bodies JOIN answers USING (id) WHERE id = ? AND key = ? AND fetched = ?",
      [.integer(entry.id), .text(key), .integer(entry.fetchedAt.microseconds)]
    ) { row in
      entry.body = row.withBytes(0) { bytes in
        ByteBuffer(capacity: bytes?.count ?? 0) { target in
          if let bytes { target.copyMemory(from: bytes) }
          return bytes?.count ?? 0
        }
      }
      isWhole = true
    }
    // Replaced between the two statements.
    return isWhole ? entry : nil
  }

  private static let selection =
    "SELECT id, vary, status, headers, fetched, fresh_until, used FROM answers WHERE key = ?"

  private static func entry(_ row: SQLiteStatement, _ vary: String, _ fetched: Int64) -> CacheEntry?
  {
    guard let id = row.value(0).integer, let status = row.value(2).integer,
      let headers = row.value(3).text,
      let fresh = row.value(5).integer, let used = row.value(6).integer
    else { return nil }
    return CacheEntry(
      id: id, vary: vary, status: Int(status), headers: fields(headers), body: .empty,
      fetchedAt: Instant(microseconds: fetched), freshUntil: Instant(microseconds: fresh),
      usedAt: Instant(microseconds: used))
  }

  /// Whether there is an answer of an address.
  func holds(target: String) throws -> Bool {
    try !connection.rows(
      "SELECT 1 FROM answers WHERE key >= ? AND key < ? LIMIT 1", Self.range(target)
    ).isEmpty
  }

  /// What is kept.
  func statistics() throws -> CacheStore.Statistics {
    let row = try connection.rows("SELECT count(*), sum(size), min(fetched) FROM answers").first
    return CacheStore.Statistics(
      entries: Int(row?[0].integer ?? 0), bytes: Int(row?[1].integer ?? 0),
      oldest: (row?[2].integer).map { Instant(microseconds: $0) })
  }

  // MARK: - Writing

  /// Makes all changes or none.
  func apply(_ changes: [(key: String, change: Change)]) throws {
    try connection.transaction {
      for (key, change) in changes { try apply(change, key) }
    }
  }

  private func apply(_ change: Change, _ key: String) throws {
    switch change {
    case .store(let entry): try store(entry, key)
    case .renew(let entry, let old): try renew(entry, key, insteadOf: old)
    case .remove(let entry):
      try connection.execute("DELETE FROM answers WHERE \(Self.same)", Self.identity(entry, key))
    case .used(let entry, let time):
      try connection.execute(
        "UPDATE answers SET used = ? WHERE \(Self.same)",
        [.integer(time.microseconds)] + Self.identity(entry, key))
    case .invalidate(let target):
      try connection.execute("DELETE FROM answers WHERE key >= ? AND key < ?", Self.range(target))
    }
  }

  private func store(_ entry: CacheEntry, _ key: String) throws {
    let row = try connection.rows(
      """
      INSERT INTO answers (key, vary, status, headers, fetched, fresh_until, used, size)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key, vary) DO UPDATE SET
        status = excluded.status, headers = excluded.headers,
        fetched = excluded.fetched, fresh_until = excluded.fresh_until, used = excluded.used,
        size = excluded.size
      RETURNING id
      """,
      [
        .text(key), .text(entry.vary), .integer(Int64(entry.status)),
        .text(Self.text(entry.headers)),
        .integer(entry.fetchedAt.microseconds),
        .integer(entry.freshUntil.microseconds), .integer(entry.usedAt.microseconds),
        .integer(Int64(entry.body.count)),
      ]
    ).first
    guard let id = row?.first else { return }
    try connection.execute(
      "INSERT OR REPLACE INTO bodies (id, body) VALUES (?, ?)", [id], blob: entry.body)
  }

  /// Renews the very answer that was asked about: another process may have another body by now.
  private func renew(_ entry: CacheEntry, _ key: String, insteadOf old: CacheEntry) throws {
    if entry.vary != old.vary {
      try connection.execute(
        "DELETE FROM answers WHERE key = ? AND vary = ? AND id <> ?",
        [.text(key), .text(entry.vary), .integer(entry.id)])
    }
    try connection.execute(
      "UPDATE answers SET vary = ?, headers = ?, fetched = ?, fresh_until = ?, used = ?"
        + " WHERE \(Self.same)",
      [
        .text(entry.vary), .text(Self.text(entry.headers)),
        .integer(entry.fetchedAt.microseconds), .integer(entry.freshUntil.microseconds),
        .integer(entry.fetchedAt.microseconds),
      ] + Self.identity(old, key))
  }

  /// Numbers are given again after a deletion, so that they alone do not tell an answer.
  private static let same = "id = ? AND key = ? AND fetched = ?"

  private static func identity(_ entry: CacheEntry, _ key: String) -> [SQLiteConnection.Value] {
    [.integer(entry.id), .text(key), .integer(entry.fetchedAt.microseconds)]
  }

  /// Drops what was used least recently until at most `capacity` bytes are left, and some room.
  func trim(to capacity: Int64) throws {
    let total = try connection.rows("SELECT sum(size) FROM answers").first?.first?.integer ?? 0
    guard total > capacity else { return }
    try connection.transaction {
      var excess = total - capacity * 4 / 5
      for row in try connection.rows("SELECT id, size FROM answers ORDER BY used") {
        guard excess > 0, let size = row[1].integer else { break }
        try connection.execute("DELETE FROM answers WHERE id = ?", [row[0]])
        excess -= size
      }
    }
  }

  /// Drops everything; gives how many answers there were.
  func clear() throws -> Int {
    let count = try connection.transaction {
      // The bodies first, at once instead of one by one.
      try connection.execute("DELETE FROM bodies")
      return try connection.execute("DELETE FROM answers")
    }
    // While others read and write the file stays as large as it is, and is filled anew.
    try? connection.run(script: "VACUUM")
    return count
  }

  // MARK: - Text

  /// The bounds of all keys that begin with the hash of an address.
  private static func range(_ target: String) -> [SQLiteConnection.Value] {
    // What follows is hexadecimal, and thus before a “g”.
    [.text(target), .text(target + "g")]
  }

  private static func text(_ headers: [HTTPField]) -> String {
    headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }

  private static func fields(_ text: String) -> [HTTPField] {
    text.split(separator: "\n").compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return HTTPField(String(line[..<colon]), line[line.index(after: colon)...].trimmed)
    }
  }
}
