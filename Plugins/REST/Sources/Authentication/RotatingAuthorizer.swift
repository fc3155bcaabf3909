internal import AggregateCore
internal import Synchronization

/// Several credentials for one service: the next one comes when one is refused or out of quota.
final class RotatingAuthorizer: RequestAuthorizer {
  /// One of them.
  enum Member: Sendable {
    case fixed([Credential])
    case renewing(any RequestAuthorizer)

    /// What renews it; nil for fixed ones.
    var renewing: (any RequestAuthorizer)? {
      if case .renewing(let authorizer) = self { authorizer } else { nil }
    }
  }

  private struct State {
    var current = 0
    /// Which are refused or out of quota; they stay so for the run.
    var spent: Set<Int> = []
    /// Those that were renewed, with what they gave before.
    var renewed: [Int: [Credential]] = [:]
    /// Whose credentials these are.
    var owners: [[Credential]: Int] = [:]
  }

  private let members: [Member]
  private let state = Mutex(State())

  init(_ members: [Member]) { self.members = members }

  /// Refused, unpaid, forbidden, or out of quota.
  var refusals: Set<Int> { [401, 402, 403, 429] }

  /// Each may be renewed once before the next one is tried.
  var renewals: Int { members.count * 2 }

  func credentials(
    for request: HTTPRequest, using client: any HTTPClient
  ) async throws -> [Credential] {
    let index = state.withLock { $0.current }
    guard members.indices.contains(index) else { return [] }
    let given: [Credential]
    switch members[index] {
    case .fixed(let credentials): given = credentials
    case .renewing(let authorizer):
      given = try await authorizer.credentials(for: request, using: client)
    }
    state.withLock { $0.owners[given] = index }
    return given
  }

  func renew(
    after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
  ) async throws -> CredentialRenewal {
    let (owner, isCurrent, mayRenew) = state.withLock { state -> (Int, Bool, Bool) in
      let owner = state.owners[credentials] ?? state.current
      // What was renewed after a refusal and is refused again will not get better.
      let isFirst = state.renewed[owner] == nil || state.renewed[owner] == credentials
      return (owner, owner == state.current, isFirst)
    }
    if !isCurrent { return .changed }
    if response.status == 401, mayRenew, case .renewing(let authorizer) = members[owner] {
      state.withLock { $0.renewed[owner] = credentials }
      let renewal = try await authorizer.renew(
        after: response, refused: credentials, using: client)
      if renewal != .none { return renewal }
    }
    return state.withLock { state in
      guard state.current == owner else { return .changed }
      state.spent.insert(owner)
      let order = (1..<max(1, members.count)).map { (owner + $0) % members.count }
      guard let next = order.first(where: { !state.spent.contains($0) }) else { return .none }
      state.current = next
      return .renewed
    }
  }
}
