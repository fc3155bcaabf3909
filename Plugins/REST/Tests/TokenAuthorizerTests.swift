import AggregateCore
import Synchronization
import Testing

@testable import AggregateREST

@Suite struct TokenAuthorizerTests {
  private let request: HTTPRequest
  private let client = FakeAPI { _ in .init(body: "{}") }
  private let refusal: HTTPResponse

  init() throws {
    let url = try #require(WebURL("https://api.example/a"))
    request = HTTPRequest("GET", url)
    refusal = HTTPResponse(
      status: 401, headers: [], body: .empty, url: url, fetchedAt: Instant(microseconds: 0))
  }

  /// Gives `t1`, `t2` and so on.
  private final class Counter: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func next() -> String {
      state.withLock { state in
        state += 1
        return "t\(state)"
      }
    }
  }

  private func authorizer(
    _ counter: Counter, _ keeper: any TokenKeeper = MemoryTokens(), lifetime: Double? = nil,
    delay: Duration = .zero
  ) -> TokenAuthorizer {
    TokenAuthorizer(
      name: "name", keeper: keeper, credential: { .header(name: "Authorization", value: $0) },
      obtain: { _ in
        let token = counter.next()
        try await Task.sleep(for: delay)
        return KeptToken(token, lifetime: lifetime)
      })
  }

  private func value(_ authorizer: TokenAuthorizer) async throws -> String? {
    guard
      case .header(_, let value)? = try await authorizer.credentials(
        for: request, using: client
      ).first
    else { return nil }
    return value
  }

  @Test func requestsAtTheSameTimeWaitForOneToken() async throws {
    let counter = Counter()
    let authorizer = authorizer(counter, delay: .milliseconds(30))
    let values = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<20 { group.addTask { try await value(authorizer) } }
      return try await group.reduce(into: Set<String?>()) { $0.insert($1) }
    }
    #expect(values == ["t1"])
    #expect(counter.count == 1)
  }

  @Test func requestsRefusedTogetherRenewOnce() async throws {
    let counter = Counter()
    let authorizer = authorizer(counter, delay: .milliseconds(10))
    let old = try await authorizer.credentials(for: request, using: client)
    try await withThrowingTaskGroup(of: CredentialRenewal.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await authorizer.renew(after: refusal, refused: old, using: client)
        }
      }
      var own = 0
      for try await renewal in group where renewal == .renewed { own += 1 }
      #expect(own == 1)
    }
    #expect(try await value(authorizer) == "t2")
    #expect(counter.count == 2)
  }

  @Test func keptTokenIsUsedAndReplaced() async throws {
    let keeper = MemoryTokens()
    keeper.keep(KeptToken("kept"), as: "name")
    let counter = Counter()
    let authorizer = authorizer(counter, keeper)
    #expect(try await value(authorizer) == "kept")
    #expect(counter.count == 0)
    let old = try await authorizer.credentials(for: request, using: client)
    #expect(
      try await authorizer.renew(after: refusal, refused: old, using: client) == .renewed)
    #expect(keeper.token("name")?.value == "t1")
  }

  @Test func tokenThatAnotherProcessRenewedIsTaken() async throws {
    let keeper = MemoryTokens()
    let counter = Counter()
    let authorizer = authorizer(counter, keeper)
    let old = try await authorizer.credentials(for: request, using: client)
    keeper.keep(KeptToken("theirs"), as: "name")
    #expect(
      try await authorizer.renew(after: refusal, refused: old, using: client) == .changed)
    #expect(try await value(authorizer) == "theirs")
    #expect(counter.count == 1)
  }

  /// A keeper that another process renews in, while this one waits for its turn.
  private final class SharedTokens: TokenKeeper {
    private let memory = MemoryTokens()
    func token(_ name: String) -> KeptToken? { memory.token(name) }
    func keep(_ token: KeptToken?, as name: String) { memory.keep(token, as: name) }
    func conceal(_ secret: String) {}
    func exclusively<R: Sendable>(
      _ name: String, _ body: @Sendable () async throws -> R
    ) async throws -> R {
      memory.keep(KeptToken("theirs"), as: name)
      return try await body()
    }
  }

  @Test func tokenKeptByAnotherWhileWaitingForTheTurnIsTaken() async throws {
    let counter = Counter()
    let authorizer = authorizer(counter, SharedTokens())
    #expect(try await value(authorizer) == "theirs")
    #expect(counter.count == 0)
    let renewal = try await authorizer.renew(
      after: refusal, refused: [.header(name: "Authorization", value: "theirs")], using: client)
    #expect(renewal == .renewed)
    #expect(try await value(authorizer) == "t1")
  }

  @Test func endedTokenIsRenewedBeforeItIsRefused() async throws {
    let counter = Counter()
    let authorizer = authorizer(counter, lifetime: 0.05)
    #expect(try await value(authorizer) == "t1")
    try await Task.sleep(for: .milliseconds(60))
    #expect(try await value(authorizer) == "t2")
  }

  @Test func requestThatIsCancelledDoesNotTakeTheTokenFromOthers() async throws {
    let counter = Counter()
    let authorizer = authorizer(counter, delay: .milliseconds(100))
    let cancelled = Task { try await value(authorizer) }
    let other = Task { try await value(authorizer) }
    try await Task.sleep(for: .milliseconds(20))
    cancelled.cancel()
    #expect(try await other.value == "t1")
    #expect(counter.count == 1)
  }

  @Test func failureIsTold() async throws {
    let authorizer = TokenAuthorizer(
      name: nil, keeper: MemoryTokens(), credential: { .header(name: "A", value: $0) },
      obtain: { _ in throw AggregateError(.rejected, "no") })
    await #expect(throws: AggregateError.self) { try await value(authorizer) }
    await #expect(throws: AggregateError.self) { try await value(authorizer) }
  }
}
