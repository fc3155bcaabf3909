internal import Synchronization

/// A token that a login or OAuth gave.
public struct KeptToken: Sendable, Hashable {
  /// The token.
  public let value: String
  /// When it ends; nil when that is unknown.
  public let expires: Instant?

  /// Creates a token.
  public init(_ value: String, expires: Instant? = nil) {
    self.value = value
    self.expires = expires
  }
}

/// Where tokens are kept between runs, and where they are made known as secrets.
public protocol TokenKeeper: Sendable {
  /// The token kept under `name`; nil when there is none or the state can't be read.
  func token(_ name: String) -> KeptToken?

  /// Keeps a token, or forgets it when it is nil, before this returns. A failure costs a warning.
  func keep(_ token: KeptToken?, as name: String)

  /// Makes a value a secret: from now on it is never shown.
  func conceal(_ secret: String)

  /// Runs `body` while nobody else renews the tokens of `name`, in no other process either.
  func exclusively<R: Sendable>(
    _ name: String, _ body: @Sendable () async throws -> R
  ) async throws -> R
}

extension TokenKeeper {
  /// Runs `body`: for keepers whose tokens nobody shares.
  public func exclusively<R: Sendable>(
    _ name: String, _ body: @Sendable () async throws -> R
  ) async throws -> R {
    try await body()
  }
}

/// Keeps tokens in memory, for tests and for runs that leave no state behind.
public final class MemoryTokens: TokenKeeper {
  private let tokens = Mutex<[String: KeptToken]>([:])

  /// Creates an empty keeper.
  public init() {}

  /// The token kept under `name`.
  public func token(_ name: String) -> KeptToken? { tokens.withLock { $0[name] } }

  /// Keeps a token.
  public func keep(_ token: KeptToken?, as name: String) { tokens.withLock { $0[name] = token } }

  /// Does nothing: nothing is shown here.
  public func conceal(_ secret: String) {}
}
