public import AggregateCore
public import AggregateState

/// The rate limit and the quota of a source, kept in the state database and so shared by all processes.
public struct SharedLimit: RequestLimit {
  private let database: StateDatabase
  private let scope: StateScope
  private let rate: Quantities.Rate?
  private let quota: Quantities.Rate?

  /// Creates a limit; nil when there is neither rate nor quota.
  public init?(
    database: StateDatabase, scope: StateScope, rate: Quantities.Rate?, quota: Quantities.Rate?
  ) {
    if rate == nil && quota == nil { return nil }
    self.database = database
    self.scope = scope
    self.rate = rate
    self.quota = quota
  }

  /// Reserves a turn.
  public func reserve() throws -> RequestTurn {
    let now = Instant.now
    switch try database.reserve(for: scope, rate: rate, quota: quota, now: now) {
    case .turn(let id, let at):
      let wait = max(0, Double(at.microseconds - now.microseconds) / 1e6)
      return RequestTurn(wait: wait, reason: "rate_limit \(rate.map(Self.text) ?? "")") {
        // A turn that could not be given back is lost, which only makes later ones wait longer.
        try? database.giveBack(id)
      }
    case .usedUp(let until):
      let wait = max(0, Double(until.microseconds - now.microseconds) / 1e6)
      throw AggregateError(
        .limit,
        "the quota of \(quota.map(Self.text) ?? "") is used up; the next request is free in "
          + WaitText.of(wait),
        hint: "“aggregate quota” shows what is used")
    }
  }

  private static func text(_ rate: Quantities.Rate) -> String {
    switch rate.seconds {
    case 1: "\(rate.count)/s"
    case 60: "\(rate.count)/min"
    case 3600: "\(rate.count)/h"
    case 86_400: "\(rate.count)/day"
    default: "\(rate.count) in \(rate.seconds) s"
    }
  }
}
