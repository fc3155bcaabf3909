public import AggregateCore
internal import AggregateSQLite

/// What a source may still request.
public enum Reservation: Sendable, Hashable {
  /// A turn at this time, which may be now.
  case turn(id: Int64, at: Instant)
  /// None: the quota is used up until this time.
  case usedUp(until: Instant)
}

/// How much of a quota is used.
public struct QuotaUsage: Sendable, Hashable {
  /// Whose it is.
  public let scope: StateScope
  /// How many requests in how many seconds.
  public let quota: Quantities.Rate
  /// How many were made in the window that ends now.
  public let used: Int
  /// When the oldest of them leaves the window; nil when none was made.
  public let frees: Instant?
}

extension StateDatabase {
  /// What a window is longer than asked, in microseconds: requests do not take equally long to arrive.
  private static let margin: Int64 = 50_000

  /// Reserves a turn for one request: at most `rate.count` turns lie in any window of `rate.seconds`.
  ///
  /// Turns are given in the order asked for, over all processes. A quota that is used up gives none.
  public func reserve(
    for scope: StateScope, rate: Quantities.Rate?, quota: Quantities.Rate?, now: Instant = .now
  ) throws -> Reservation {
    try with { connection in
      try connection.transaction {
        let place: [SQLiteConnection.Value] = [.text(scope.config), .text(scope.source)]
        let longest = Int64(max(rate?.seconds ?? 0, quota?.seconds ?? 0)) * 1_000_000
        // What lies far ahead was reserved before the clock was set back.
        try connection.execute(
          "DELETE FROM requests WHERE config = ? AND source = ? AND (at <= ? OR at > ?)",
          place + [
            .integer(now.microseconds - longest - Self.margin),
            .integer(now.microseconds + longest * 200 + Self.margin),
          ])
        if let quota {
          try connection.execute(
            "INSERT OR REPLACE INTO quotas (config, source, count, seconds) VALUES (?, ?, ?, ?)",
            place + [.integer(Int64(quota.count)), .integer(Int64(quota.seconds))])
          let window = Int64(quota.seconds) * 1_000_000
          let blocking = try Self.time(
            connection, place, nthLast: quota.count, after: now.microseconds - window)
          if let blocking { return .usedUp(until: Instant(microseconds: blocking + window)) }
        }
        var at = now.microseconds
        if let rate {
          let window = Int64(rate.seconds) * 1_000_000 + Self.margin
          let blocking = try Self.time(
            connection, place, nthLast: rate.count, after: now.microseconds - window)
          if let blocking { at = max(at, blocking + window) }
        }
        try connection.execute(
          "INSERT INTO requests (config, source, at) VALUES (?, ?, ?)", place + [.integer(at)])
        return .turn(id: connection.lastInsertedRow, at: Instant(microseconds: at))
      }
    }
  }

  /// Moves a turn to now or, where that would be too many at once, behind all others.
  ///
  /// Turns may be missed, while all slots are taken or the machine sleeps; those missed together must
  /// not be used together.
  /// - Returns: When the turn is; now or earlier means that the request may be sent.
  public func renew(
    turn id: Int64, for scope: StateScope, rate: Quantities.Rate, now: Instant = .now
  ) throws -> Instant {
    try with { connection in
      try connection.transaction {
        let window = Int64(rate.seconds) * 1_000_000 + Self.margin
        // Half of the margin is for clocks that run apart: who wakes a blink too early is in time.
        let start = now.microseconds - window + Self.margin / 2
        let nthLast = { (end: Int64) in
          try connection.rows(
            "SELECT at FROM requests WHERE config = ? AND source = ? AND at > ? AND at <= ?"
              + " AND id <> ? ORDER BY at DESC LIMIT 1 OFFSET ?",
            [
              .text(scope.config), .text(scope.source), .integer(start),
              .integer(end), .integer(id), .integer(Int64(rate.count - 1)),
            ]
          ).first?.first?.integer
        }
        var at = now.microseconds
        if try nthLast(at) != nil, let last = try nthLast(.max) { at = last + window }
        try connection.execute(
          "UPDATE requests SET at = ? WHERE id = ?", [.integer(at), .integer(id)])
        return Instant(microseconds: at)
      }
    }
  }

  /// Gives back a turn that was not used.
  public func giveBack(_ id: Int64) throws {
    try with { _ = try $0.execute("DELETE FROM requests WHERE id = ?", [.integer(id)]) }
  }

  /// The quotas of a configuration, or of all, with what is used of them.
  public func quotas(config: String? = nil, now: Instant = .now) throws -> [QuotaUsage] {
    try with { connection in
      let rows = try connection.rows(
        "SELECT config, source, count, seconds FROM quotas WHERE ?1 IS NULL OR config = ?1"
          + " ORDER BY config, source", [config.map { .text($0) } ?? .null])
      return try rows.compactMap { row in
        guard let config = row[0].text, let source = row[1].text, let count = row[2].integer,
          let seconds = row[3].integer
        else { return nil }
        return try Self.usage(
          connection, StateScope(config: config, source: source),
          Quantities.Rate(count: Int(count), seconds: Int(seconds)), now)
      }
    }
  }

  /// How much is used of a quota, which may be another one than that of the runs before.
  public func usage(
    of scope: StateScope, quota: Quantities.Rate, now: Instant = .now
  ) throws -> QuotaUsage {
    try with { try Self.usage($0, scope, quota, now) }
  }

  private static func usage(
    _ connection: SQLiteConnection, _ scope: StateScope, _ quota: Quantities.Rate, _ now: Instant
  ) throws -> QuotaUsage {
    let window = Int64(quota.seconds) * 1_000_000
    let found = try connection.rows(
      "SELECT count(*), min(at) FROM requests WHERE config = ? AND source = ? AND at > ?",
      [.text(scope.config), .text(scope.source), .integer(now.microseconds - window)]
    ).first
    return QuotaUsage(
      scope: scope, quota: quota, used: Int(found?[0].integer ?? 0),
      frees: (found?[1].integer).map { Instant(microseconds: $0 + window) })
  }

  /// The time of the n-th last turn, if it lies behind `after`.
  private static func time(
    _ connection: SQLiteConnection, _ place: [SQLiteConnection.Value], nthLast count: Int,
    after: Int64
  ) throws -> Int64? {
    try connection.rows(
      "SELECT at FROM requests WHERE config = ? AND source = ? AND at > ?"
        + " ORDER BY at DESC LIMIT 1 OFFSET ?",
      place + [.integer(after), .integer(Int64(count - 1))]
    ).first?.first?.integer
  }
}
