/// Says when a request may be sent: a rate limit, a quota.
public protocol RequestLimit: Sendable {
  /// Reserves a turn for one request.
  ///
  /// - Throws: ``AggregateError`` with code `limit` when there is none to be had in reasonable time.
  func reserve() throws -> RequestTurn
}

/// A reserved turn.
public struct RequestTurn: Sendable {
  /// How long to wait for it, in seconds.
  public var wait: Double
  /// Why, such as `rate_limit 60/min`.
  public var reason: String
  /// Asked right before the request is sent: how much longer to wait, in seconds, because the turn
  /// was missed and others had theirs meanwhile; 0 to send it.
  public var confirm: @Sendable () throws -> Double
  /// Gives the turn back, when it was not used.
  public var giveBack: @Sendable () -> Void

  /// Creates a turn.
  public init(
    wait: Double, reason: String, confirm: @escaping @Sendable () throws -> Double = { 0 },
    giveBack: @escaping @Sendable () -> Void = {}
  ) {
    self.wait = wait
    self.confirm = confirm
    self.reason = reason
    self.giveBack = giveBack
  }
}
