public import AggregateCore
public import AggregateState

/// The rate limit and the quota of a source, kept in the state database and so shared by all processes.
///
/// When the database can't be used, a warning says so and the limit holds within this process only.
public struct SharedLimit: RequestLimit {
  private let database: StateDatabase
  private let fallback = StateDatabase(path: ":memory:")
  private let log: RunLog
  private let scope: StateScope
  private let rate: Quantities.Rate?
  private let quota: Quantities.Rate?

  /// Creates a limit; nil when there is neither rate nor quota.
  public init?(
    database: StateDatabase, scope: StateScope, rate: Quantities.Rate?, quota: Quantities.Rate?,
    log: RunLog
  ) {
    if rate == nil && quota == nil { return nil }
    self.database = database
    self.scope = scope
    self.rate = rate
    self.quota = quota
    self.log = log
  }

  /// Reserves a turn.
  public func reserve() throws -> RequestTurn {
    do {
      return try reserve(in: database)
    } catch let error as AggregateError where error.code == .output {
      log.warn("\(scope.source): its limits hold for this run only: \(error.message)")
      return try reserve(in: fallback)
    }
  }

  private func reserve(in database: StateDatabase) throws -> RequestTurn {
    let now = Instant.now
    switch try database.reserve(for: scope, rate: rate, quota: quota, now: now) {
    case .turn(let id, let at):
      let wait = max(0, Double(at.microseconds - now.microseconds) / 1e6)
      return RequestTurn(
        wait: wait, reason: "rate_limit \(rate.map(Self.text) ?? "")",
        confirm: {
          guard let rate else { return 0 }
          let now = Instant.now
          let time = try database.renew(turn: id, for: scope, rate: rate, now: now)
          return max(0, Double(time.microseconds - now.microseconds) / 1e6)
        },
        // A turn that could not be given back is lost, which only makes later ones wait longer.
        giveBack: { try? database.giveBack(id) })
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
