import AggregateCore
import AggregateState
import AggregateTransport
import Synchronization

/// Tokens in the state database, which only the user can read; a database that fails costs a warning.
final class StoredTokens: TokenKeeper {
  private let database: StateDatabase?
  private let memory = MemoryTokens()
  private let log: RunLog
  private let redactor: Redactor

  /// - Parameter database: Where they are kept; nil to keep them for this run only.
  init(database: StateDatabase?, log: RunLog, redactor: Redactor) {
    self.database = database
    self.log = log
    self.redactor = redactor
  }

  func token(_ name: String) -> KeptToken? {
    if let token = memory.token(name), database == nil { return token }
    do {
      guard let stored = try database?.token(name) else { return nil }
      redactor.register(stored.value)
      return KeptToken(stored.value, expires: stored.expires)
    } catch {
      warn(error)
      return memory.token(name)
    }
  }

  func keep(_ token: KeptToken?, as name: String) {
    if let token { redactor.register(token.value) }
    memory.keep(token, as: name)
    do {
      try database?.save(token.map { StoredToken(value: $0.value, expires: $0.expires) }, as: name)
    } catch {
      warn(error)
    }
  }

  /// How long another process may take to renew a token before this one goes on regardless.
  private static let longestWait = Duration.seconds(60)

  func exclusively<R: Sendable>(
    _ name: String, _ body: @Sendable () async throws -> R
  ) async throws -> R {
    guard let database, let folder = database.path.lastIndex(of: "/") else {
      return try await body()
    }
    let path = "\(database.path[..<folder])/locks/\(SHA256.hexadecimal(name)).lock"
    let deadline = ContinuousClock.now + Self.longestWait
    while ContinuousClock.now < deadline {
      let lock: ProcessLock?
      do { lock = try ProcessLock(path: path) } catch {
        warn(error)
        break
      }
      if let lock {
        let result = try await body()
        _ = consume lock
        return result
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await body()
  }

  func conceal(_ secret: String) { redactor.register(secret) }

  private func warn(_ error: any Error) {
    log.warn(
      "tokens are kept for this run only: \((error as? AggregateError)?.message ?? "\(error)")")
  }
}
