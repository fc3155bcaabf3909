/// How a source uses the cache.
public struct CachePolicy: Sendable, Hashable {
  /// Where answers come from.
  public enum Mode: Sendable, Hashable {
    /// From the cache while they are fresh, else from the network.
    case normal
    /// From the network always; the cache is renewed.
    case refresh
    /// From the cache only, fresh or not.
    case offline
  }

  /// Where answers come from.
  public var mode = Mode.normal
  /// How long an answer is fresh, in place of what the server says.
  public var ttl: Duration?
  /// How long behind its freshness an answer may stand in when the source is not available.
  public var staleIfError: Duration?
  /// Whether that holds for whatever failure, a refusal or a used up quota too.
  public var standsInForAll = false

  /// The usual policy.
  public init() {}
}
