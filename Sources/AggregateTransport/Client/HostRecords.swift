internal import AggregateCore
internal import Synchronization

/// What a run knows of the hosts that it asks: figures, pauses they asked for, and which are down.
///
/// One serves all sources of a run, so that a host which is down or busy for one of them is left alone by all.
public final class HostRecords: Sendable {
  /// What the requests to one host came to.
  public struct Figures: Sendable, Hashable {
    /// The host, with its port where the address has one.
    public let host: String
    /// Requests sent, retries and redirects included.
    public var requests = 0
    /// Tries that failed and may go well later, by what went wrong: a status, or a reason such as `connection refused`.
    public var failures: [String: Int] = [:]
    /// The seconds that the host asked to be left alone for, pauses that overlap counted once.
    public var asked = 0.0
    /// Requests that were not sent because the host was taken for down.
    public var notSent = 0

    init(host: String) { self.host = host }

    /// Whether there is something to tell of that no error tells: a single failed try is no trouble.
    public var hasTrouble: Bool { failureCount > 1 || notSent > 0 || asked >= 1 }

    /// How many tries failed.
    public var failureCount: Int { failures.values.reduce(0, +) }

    /// Failures as pairs, the most frequent first.
    public var failuresByCount: [(reason: String, count: Int)] {
      failures.map { (reason: $0.key, count: $0.value) }
        .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
    }
  }

  private struct Record {
    var figures: Figures
    var breaker = CircuitBreaker()
    var lastFailure = ""
    var pauseEnd: ContinuousClock.Instant?
  }

  private let records = Mutex<(byHost: [String: Record], order: [String])>(([:], []))

  /// Creates empty records.
  public init() {}

  /// The figures of all hosts, in the order in which they were first asked.
  public var figures: [Figures] {
    records.withLock { all in all.order.compactMap { all.byHost[$0]?.figures } }
  }

  private func update<R: Sendable>(_ url: WebURL, _ body: (inout sending Record) -> sending R) -> R
  {
    let host = url.authority.lowercased()
    return records.withLock { all in
      if all.byHost[host] == nil { all.order.append(host) }
      return body(&all.byHost[host, default: Record(figures: Figures(host: host))])
    }
  }

  func noteRequest(to url: WebURL) { update(url) { $0.figures.requests += 1 } }

  func noteFailedTry(at url: WebURL, _ reason: String) {
    update(url) {
      $0.figures.failures[reason, default: 0] += 1
      $0.lastFailure = reason
    }
  }

  // MARK: - Pauses

  /// Notes that the host asked to be left alone for `seconds`.
  ///
  /// - Returns: Whether that is new: it ends a second or more after any pause known before.
  func pause(_ url: WebURL, seconds: Double) -> Bool {
    let now = ContinuousClock.now
    let end = now + .seconds(min(seconds, 1e8))
    return update(url) { record in
      let known = max(record.pauseEnd ?? now, now)
      guard end > known else { return false }
      record.figures.asked += (end - known).seconds
      record.pauseEnd = end
      return (end - known).seconds >= 1
    }
  }

  /// The seconds for which the host is still to be left alone; 0 or less when it is not.
  func pauseLeft(_ url: WebURL) -> Double {
    update(url) { record in record.pauseEnd.map { ($0 - .now).seconds } ?? 0 }
  }

  // MARK: - Circuit breaker

  /// Asks for leave to send a request.
  ///
  /// - Returns: Whether the request is the trial of a host that was down.
  /// - Throws: ``AggregateError`` with code `unavailable` while the host is left alone.
  func admit(_ url: WebURL) throws -> Bool {
    let (admission, failures, last) = update(url) { record in
      let admission = record.breaker.admit(at: .now)
      if case .refused = admission { record.figures.notSent += 1 }
      return (admission, record.breaker.failures, record.lastFailure)
    }
    switch admission {
    case .sent: return false
    case .trial: return true
    case .refused(let seconds):
      throw AggregateError(
        .unavailable,
        "\(url.authority) is not asked: \(failures) requests to it failed in a row, "
          + "the last with “\(last)”; "
          + (seconds > 0
            ? "it is tried again in \(WaitText.of(seconds.rounded(.up)))"
            : "one request tries whether it is back"))
    }
  }

  /// Whether the host is left alone.
  func isLeftAlone(_ url: WebURL) -> Bool { update(url) { $0.breaker.isOpen(at: .now) } }

  func noteAnswer(from url: WebURL) { update(url) { $0.breaker.succeed() } }

  /// Notes a request that failed after all its tries.
  func noteFailedRequest(at url: WebURL, threshold: Int) {
    update(url) { $0.breaker.fail(at: .now, threshold: threshold) }
  }

  func abandonTrial(of url: WebURL) { update(url) { $0.breaker.abandonTrial() } }
}
