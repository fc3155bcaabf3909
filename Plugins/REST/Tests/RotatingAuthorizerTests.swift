import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct RotatingAuthorizerTests {
  private let url: WebURL
  private let client = FakeAPI { _ in .init(body: "{}") }

  init() throws { url = try #require(WebURL("https://api.example/")) }

  private func key(_ name: String) -> [Credential] { [.header(name: "X-Key", value: name)] }

  private func answer(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [], body: .empty, url: url, fetchedAt: Instant(microseconds: 0))
  }

  private func given(_ authorizer: RotatingAuthorizer) async throws -> [Credential] {
    try await authorizer.credentials(for: HTTPRequest("GET", url), using: client)
  }

  @Test(arguments: [401, 402, 403, 429])
  func nextOneComesWhenOneIsUsedUp(_ status: Int) async throws {
    let authorizer = RotatingAuthorizer([.fixed(key("a")), .fixed(key("b"))])
    #expect(authorizer.refusals.contains(status))
    #expect(try await given(authorizer) == key("a"))
    #expect(
      try await authorizer.renew(after: answer(status), refused: key("a"), using: client)
        == .renewed)
    #expect(try await given(authorizer) == key("b"))
    let isLeft = try await authorizer.renew(
      after: answer(status), refused: key("b"), using: client)
    #expect(isLeft == .none)
  }

  @Test func requestsRefusedTogetherMoveOnByOne() async throws {
    let authorizer = RotatingAuthorizer(["a", "b", "c"].map { .fixed(key($0)) })
    _ = try await given(authorizer)
    for _ in 0..<5 {
      #expect(
        try await authorizer.renew(after: answer(429), refused: key("a"), using: client) != .none)
    }
    #expect(try await given(authorizer) == key("b"))
  }

  @Test func tokenIsRenewedOnceBeforeTheNextOneComes() async throws {
    let tokens = TokenAuthorizer(
      name: nil, keeper: MemoryTokens(), credential: { .header(name: "X-Key", value: $0) },
      obtain: { [client] _ in
        _ = try? await client.send(HTTPRequest("POST", url))
        return KeptToken("t\(client.requests.count)")
      })
    let authorizer = RotatingAuthorizer([.renewing(tokens), .fixed(key("b"))])
    #expect(try await given(authorizer) == key("t1"))
    #expect(
      try await authorizer.renew(after: answer(401), refused: key("t1"), using: client) != .none)
    #expect(try await given(authorizer) == key("t2"))
    #expect(
      try await authorizer.renew(after: answer(401), refused: key("t2"), using: client) != .none)
    #expect(try await given(authorizer) == key("b"))
  }

  @Test func membersAreDeclaredAsOthersAre() throws {
    var diagnostics = Diagnostics()
    let source = try provider(
      #"{"url":"https://a.example/","auth":{"rotate":[{"bearer":"a"},{"api_key":{"name":"k","value":"b"}}]}}"#,
      &diagnostics)
    #expect(diagnostics.all.isEmpty)
    #expect(source.authentication.kinds.count == 2)
    _ = try provider(
      #"{"url":"https://a.example/","auth":{"rotate":[{"rotate":[]}]}}"#, &diagnostics)
    #expect(diagnostics.hasErrors)
  }
}
