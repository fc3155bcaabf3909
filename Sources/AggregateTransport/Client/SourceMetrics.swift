internal import Synchronization

/// What the requests of one source came to, for the run report.
public final class SourceMetrics: Sendable {
  /// The figures at one moment.
  public struct Figures: Sendable, Hashable {
    /// Requests sent, retries and redirects included.
    public var requests = 0
    /// Tries after the first.
    public var retries = 0
    /// Bytes of bodies as they came over the network.
    public var bytes = 0
    /// Seconds waited for rate limits, quotas and between tries.
    public var waited = 0.0
    /// Answers from the cache without a request.
    public var cacheHits = 0
    /// Answers from the cache that the server confirmed.
    public var cacheRevalidated = 0
    /// Answers that the cache did not have.
    public var cacheMisses = 0
    /// Stale answers that stood in for a source that was not available.
    public var stale = 0
  }

  private let state = Mutex(Figures())

  /// Creates metrics, all zero.
  public init() {}

  /// The figures now.
  public var figures: Figures { state.withLock { $0 } }

  func update(_ body: (inout Figures) -> Void) { state.withLock { body(&$0) } }
}
