import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct OAuthGrantTests {
  private let request: HTTPRequest

  init() throws {
    request = HTTPRequest("GET", try #require(WebURL("https://api.example/a")))
  }

  private func grant(_ json: String) throws -> OAuthGrant {
    var diagnostics = Diagnostics()
    let grant = OAuthGrant(
      Options(try node(json), specs: AuthenticationOptions.oauth2), &diagnostics)
    try diagnostics.throwIfErrors()
    return try #require(grant)
  }

  /// The form fields of a request.
  private func fields(_ request: HTTPRequest) -> [String] {
    request.text.split(separator: "&").map(String.init)
  }

  private func tokens(_ answer: String = #"{"access_token":"acc","expires_in":3600}"#) -> FakeAPI {
    FakeAPI { _ in .init(body: answer) }
  }

  @Test func clientCredentialsGoByBasicAuthentication() async throws {
    let api = tokens()
    let given = try await grant(
      #"{"token_url":"https://id.example/t","client_id":"me","client_secret":"a:b c","scopes":["r","w"]}"#
    ).authorizer(MemoryTokens()).credentials(for: request, using: api)
    #expect(given == [.header(name: "Authorization", value: "Bearer acc")])
    let sent = api.requests[0]
    #expect(fields(sent) == ["grant_type=client_credentials", "scope=r%20w"])
    let pair = Base64.encode(Array("me:a%3Ab%20c".utf8))
    #expect(sent.credentials == [.header(name: "Authorization", value: "Basic \(pair)")])
    #expect(sent.staysAtOrigin)
  }

  @Test func clientCredentialsGoInTheBody() async throws {
    let api = tokens()
    _ = try await grant(
      #"{"token_url":"https://id.example/t","client_id":"me","client_secret":"s","send":"body","extra":{"audience":"x y"}}"#
    ).authorizer(MemoryTokens()).credentials(for: request, using: api)
    #expect(
      fields(api.requests[0]) == [
        "grant_type=client_credentials", "audience=x%20y", "client_id=me", "client_secret=s",
      ])
    #expect(api.requests[0].credentials.isEmpty)
  }

  @Test func rotatedRefreshTokenIsKeptAndUsedByTheNextRun() async throws {
    let declared = try grant(
      #"{"grant":"refresh_token","token_url":"https://id.example/t","client_id":"me","refresh_token":"r0"}"#
    )
    let keeper = MemoryTokens()
    let first = tokens(#"{"access_token":"a1","expires_in":0,"refresh_token":"r1"}"#)
    _ = try await declared.authorizer(keeper).credentials(for: request, using: first)
    #expect(fields(first.requests[0]).contains("refresh_token=r0"))
    let second = tokens(#"{"access_token":"a2","expires_in":"3600"}"#)
    _ = try await declared.authorizer(keeper).credentials(for: request, using: second)
    #expect(fields(second.requests[0]).contains("refresh_token=r1"))
    let third = tokens()
    _ = try await declared.authorizer(keeper).credentials(for: request, using: third)
    #expect(third.requests.isEmpty)
  }

  @Test func passwordIsGivenAgainWhenItsRefreshTokenIsRefused() async throws {
    let declared = try grant(
      #"{"grant":"password","token_url":"https://id.example/t","username":"u","password":"p"}"#)
    let keeper = MemoryTokens()
    let api = FakeAPI { request in
      request.text.contains("grant_type=password")
        ? .init(body: #"{"access_token":"a","expires_in":0,"refresh_token":"r"}"#)
        : .init(status: 400, body: #"{"error":"invalid_grant"}"#)
    }
    _ = try await declared.authorizer(keeper).credentials(for: request, using: api)
    _ = try await declared.authorizer(keeper).credentials(for: request, using: api)
    #expect(
      api.requests.map { fields($0)[0] } == [
        "grant_type=password", "grant_type=refresh_token", "grant_type=password",
      ])
  }

  @Test(arguments: [
    (400, #"{"error":"invalid_grant"}"#, "status 400"),
    (200, #"{"error":"bad","error_description":"it is used up"}"#, "it is used up"),
    (200, "<html>", "without an access_token"),
  ])
  func failureSaysWhatToDo(_ status: Int, _ body: String, _ said: String) async throws {
    let api = FakeAPI { _ in .init(status: status, body: body) }
    let authorizer = try grant(
      #"{"grant":"refresh_token","token_url":"https://id.example/t","refresh_token":"r"}"#
    ).authorizer(MemoryTokens())
    let error = await #expect(throws: AggregateError.self) {
      try await authorizer.credentials(for: request, using: api)
    }
    #expect(error?.message.contains(said) == true)
    #expect(error?.hint?.contains("refresh_token") == true)
    #expect(api.requests.count == 1)
  }

  @Test(arguments: [
    #"{"token_url":"https://id.example/t"}"#,
    #"{"token_url":"https://id.example/t","grant":"refresh_token"}"#,
    #"{"token_url":"https://id.example/t","grant":"password","username":"u"}"#,
  ])
  func whatAGrantNeedsIsMissed(_ json: String) throws {
    #expect(throws: DiagnosticsError.self) { try grant(json) }
  }

  @Test func literalsOfTheGrantAreSecrets() throws {
    let redactor = Redactor()
    let auth = try node(
      #"{"auth":{"oauth2":{"token_url":"https://id.example/t","client_id":"me","client_secret":"c4n4ry-1","extra":{"password":"c4n4ry-2"}}}}"#
    )
    Shape.object(RESTProvider.spec.options).registerSecrets(of: auth, with: redactor)
    #expect(redactor.redact("c4n4ry-1 c4n4ry-2") == "*** ***")
  }
}
