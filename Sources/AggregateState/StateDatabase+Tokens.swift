public import AggregateCore
internal import AggregateSQLite

/// A token of a login or of OAuth, kept for the next run.
public struct StoredToken: Sendable, Hashable {
  /// The token, in whatever form its owner wrote it.
  public let value: String
  /// When it ends; nil when that is unknown.
  public let expires: Instant?

  /// Creates a token.
  public init(value: String, expires: Instant?) {
    self.value = value
    self.expires = expires
  }
}

extension StateDatabase {
  /// The token of this name. Names must not contain secrets.
  public func token(_ name: String) throws -> StoredToken? {
    try with { connection in
      try connection.rows("SELECT value, expires FROM tokens WHERE name = ?", [.text(name)])
        .compactMap { row in
          row[0].text.map {
            StoredToken(value: $0, expires: row[1].integer.map { Instant(microseconds: $0) })
          }
        }.first
    }
  }

  /// Saves a token, or forgets it when it is nil. What it replaces is overwritten in the file.
  public func save(_ token: StoredToken?, as name: String) throws {
    _ = try with { connection in
      // A rotated token that a power failure takes away can't be had again.
      try connection.run(script: "PRAGMA synchronous=FULL")
      defer { try? connection.run(script: "PRAGMA synchronous=NORMAL") }
      if let token {
        try connection.execute(
          "INSERT OR REPLACE INTO tokens (name, value, expires) VALUES (?, ?, ?)",
          [
            .text(name), .text(token.value),
            token.expires.map { .integer($0.microseconds) } ?? .null,
          ])
      } else {
        try connection.execute("DELETE FROM tokens WHERE name = ?", [.text(name)])
      }
    }
  }
}
