internal import AggregateCore
internal import Synchronization

/// Gives requests a token that is fetched when it is first needed, before it ends, and once it is refused.
///
/// One renewal is under way at a time, among all processes; requests that need a token meanwhile wait
/// for it, and take the one that another process had.
final class TokenAuthorizer: RequestAuthorizer {
  private struct Renewal {
    let id: Int
    let task: Task<Renewed, any Error>
    /// The requests that wait for it and were not cancelled.
    var waiting = 0
  }

  private struct Renewed {
    let token: KeptToken
    /// Whether it was fetched here, and not by another process.
    let isNew: Bool
  }

  private struct State {
    /// The token that was refused last: whoever kept it, it is not taken again.
    var refused: String?
    var token: KeptToken?
    var hasLooked = false
    var renewal: Renewal?
    var made = 0
  }

  private let name: String?
  private let keeper: any TokenKeeper
  private let credential: @Sendable (String) -> Credential
  private let obtain: @Sendable (any HTTPClient) async throws -> KeptToken
  private let state = Mutex(State())

  /// Creates an authorizer.
  ///
  /// - Parameters:
  ///   - name: Under what the token is kept between runs; nil when it is not.
  ///   - credential: Where a token goes in a request.
  ///   - obtain: Fetches a token.
  init(
    name: String?, keeper: any TokenKeeper, credential: @escaping @Sendable (String) -> Credential,
    obtain: @escaping @Sendable (any HTTPClient) async throws -> KeptToken
  ) {
    self.name = name
    self.keeper = keeper
    self.credential = credential
    self.obtain = obtain
  }

  func credentials(
    for request: HTTPRequest, using client: any HTTPClient
  ) async throws -> [Credential] {
    if !state.withLock({ $0.hasLooked }) {
      let kept = name.flatMap { keeper.token($0) }
      state.withLock { state in
        if !state.hasLooked { state.token = kept }
        state.hasLooked = true
      }
    }
    if let token = state.withLock({ $0.token }), Self.isGood(token) {
      return [credential(token.value)]
    }
    return [credential(try await renewed(using: client).token.value)]
  }

  func renew(
    after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
  ) async throws -> CredentialRenewal {
    let current = state.withLock { $0.token }
    if let current, !credentials.contains(credential(current.value)) { return .changed }
    // Another process may have renewed it.
    if let name, let kept = keeper.token(name), Self.isGood(kept),
      !credentials.contains(credential(kept.value))
    {
      state.withLock { $0.token = kept }
      return .changed
    }
    state.withLock { state in
      guard let current, state.token == current else { return }
      state.token = nil
      state.refused = current.value
    }
    return try await renewed(using: client).isNew ? .renewed : .changed
  }

  private static func isGood(_ token: KeptToken) -> Bool {
    token.expires.map { Instant.now < $0 } ?? true
  }

  /// A new token: the one that is being fetched for another request, or one of its own.
  private func renewed(
    using client: any HTTPClient
  ) async throws -> Renewed {
    let (id, task, isOwn) = state.withLock { state -> (Int, Task<Renewed, any Error>, Bool) in
      let isOwn = state.renewal == nil
      if isOwn {
        state.made += 1
        let id = state.made
        state.renewal = Renewal(id: id, task: Task { try await self.fetch(id, client) })
      }
      state.renewal?.waiting += 1
      // The line above made one where there was none.
      return state.renewal.map { ($0.id, $0.task, isOwn) }
        ?? (0, Task { try await self.fetch(0, client) }, isOwn)
    }
    return try await withTaskCancellationHandler {
      let renewed = try await task.value
      return Renewed(token: renewed.token, isNew: isOwn && renewed.isNew)
    } onCancel: {
      leave(id)
    }
  }

  private func fetch(_ id: Int, _ client: any HTTPClient) async throws -> Renewed {
    do {
      let renewed: Renewed
      if let name {
        renewed = try await keeper.exclusively(name) { try await obtained(client, name) }
      } else {
        renewed = Renewed(token: try await obtained(client), isNew: true)
      }
      state.withLock { state in
        state.token = renewed.token
        if state.renewal?.id == id { state.renewal = nil }
      }
      return renewed
    } catch {
      state.withLock { state in if state.renewal?.id == id { state.renewal = nil } }
      throw error
    }
  }

  /// The token that another process kept while this one waited for its turn, else a new one.
  private func obtained(_ client: any HTTPClient, _ name: String) async throws -> Renewed {
    let refused = state.withLock { $0.refused }
    if let kept = keeper.token(name), Self.isGood(kept), kept.value != refused {
      return Renewed(token: kept, isNew: false)
    }
    let token = try await obtained(client)
    keeper.keep(token, as: name)
    return Renewed(token: token, isNew: true)
  }

  private func obtained(_ client: any HTTPClient) async throws -> KeptToken {
    let token = try await obtain(client)
    keeper.conceal(token.value)
    return token
  }

  /// A request no longer waits; a renewal that nobody waits for ends.
  private func leave(_ id: Int) {
    let task = state.withLock { state -> Task<Renewed, any Error>? in
      guard state.renewal?.id == id else { return nil }
      state.renewal?.waiting -= 1
      guard let renewal = state.renewal, renewal.waiting <= 0 else { return nil }
      state.renewal = nil
      return renewal.task
    }
    task?.cancel()
  }
}

extension KeptToken {
  /// A token that is good for some seconds from now, taken for ended a little before that.
  init(_ value: String, lifetime: Double?) {
    guard let lifetime, lifetime.isFinite, lifetime >= 0 else {
      self.init(value)
      return
    }
    let usable = lifetime - min(30, lifetime / 10)
    let microseconds = Int64(min(usable, 1e10) * 1_000_000)
    self.init(
      value, expires: Instant(microseconds: Instant.now.microseconds + microseconds))
  }
}
