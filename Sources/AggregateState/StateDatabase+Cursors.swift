public import AggregateCore
internal import AggregateSQLite

/// How far a source, or a part of it, was read.
public struct StateCursor: Sendable, Hashable {
  /// Whose it is.
  public let scope: StateScope
  /// The part of the source; empty when it has only one.
  public let partition: String
  /// The value, as JSON.
  public let value: String
  /// When it was saved.
  public let updated: Instant
}

/// A row that was given already: its key, and the value of its cursor.
public struct BoundaryKey: Sendable, Hashable {
  /// The key, as JSON.
  public let key: String
  /// The value of the cursor in that row, as JSON.
  public let value: String

  /// Creates a boundary key.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

extension StateDatabase {
  /// The cursor of a part of a source.
  public func cursor(of scope: StateScope, partition: String = "") throws -> StateCursor? {
    try with { connection in
      try connection.rows(
        "SELECT config, source, partition, value, updated FROM cursors"
          + " WHERE config = ? AND source = ? AND partition = ?",
        [.text(scope.config), .text(scope.source), .text(partition)]
      ).compactMap(Self.cursor).first
    }
  }

  /// The cursors of a configuration, or of all, ordered by source and part.
  public func cursors(config: String? = nil) throws -> [StateCursor] {
    try with { connection in
      try connection.rows(
        "SELECT config, source, partition, value, updated FROM cursors"
          + " WHERE ?1 IS NULL OR config = ?1 ORDER BY config, source, partition",
        [config.map { .text($0) } ?? .null]
      ).compactMap(Self.cursor)
    }
  }

  /// The keys of the rows at the boundary of a part of a source.
  public func boundaryKeys(of scope: StateScope, partition: String = "") throws -> [BoundaryKey] {
    try with { connection in
      try connection.rows(
        "SELECT key, value FROM boundary_keys WHERE config = ? AND source = ? AND partition = ?",
        [.text(scope.config), .text(scope.source), .text(partition)]
      ).compactMap { row in
        guard let key = row[0].text, let value = row[1].text else { return nil }
        return BoundaryKey(key: key, value: value)
      }
    }
  }

  /// Saves a cursor and the keys at its boundary, both or neither; earlier keys are forgotten.
  public func save(
    cursor value: String, boundary: [BoundaryKey], of scope: StateScope, partition: String = ""
  ) throws {
    try with { connection in
      try connection.transaction {
        let place: [SQLiteConnection.Value] = [
          .text(scope.config), .text(scope.source), .text(partition),
        ]
        try connection.execute(
          "INSERT OR REPLACE INTO cursors (config, source, partition, value, updated)"
            + " VALUES (?, ?, ?, ?, ?)",
          place + [.text(value), .integer(Instant.now.microseconds)])
        try connection.execute(
          "DELETE FROM boundary_keys WHERE config = ? AND source = ? AND partition = ?", place)
        for key in boundary {
          try connection.execute(
            "INSERT OR REPLACE INTO boundary_keys (config, source, partition, key, value)"
              + " VALUES (?, ?, ?, ?, ?)", place + [.text(key.key), .text(key.value)])
        }
      }
    }
  }

  /// Forgets the cursors of a source, or of one of its parts; gives how many there were.
  @discardableResult
  public func reset(_ scope: StateScope, partition: String? = nil) throws -> Int {
    try with { connection in
      try connection.transaction {
        let place: [SQLiteConnection.Value] = [
          .text(scope.config), .text(scope.source), partition.map { .text($0) } ?? .null,
        ]
        let condition = " WHERE config = ?1 AND source = ?2 AND (?3 IS NULL OR partition = ?3)"
        try connection.execute("DELETE FROM boundary_keys" + condition, place)
        return try connection.execute("DELETE FROM cursors" + condition, place)
      }
    }
  }

  private static func cursor(_ row: [SQLiteConnection.Value]) -> StateCursor? {
    guard let config = row[0].text, let source = row[1].text, let partition = row[2].text,
      let value = row[3].text, let updated = row[4].integer
    else { return nil }
    return StateCursor(
      scope: StateScope(config: config, source: source), partition: partition, value: value,
      updated: Instant(microseconds: updated))
  }
}
