import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateREST

@Suite struct LoginRequestTests {
  private func credentials(
    _ login: String, _ answer: FakeAPI.Answer, parameters: [String: String] = [:]
  ) async throws -> (given: [Credential], sent: [HTTPRequest]) {
    var diagnostics = Diagnostics()
    let source = try provider(
      #"{"url":"https://api.example/","auth":{"login":\#(login)}}"#, &diagnostics)
    try diagnostics.throwIfErrors()
    let api = FakeAPI { _ in answer }
    let context = ProviderContext(
      source: "s", http: api, log: .silent, jobs: 1, parameters: parameters, emit: { _ in })
    let authorizer = try #require(source.authentication.authorizer(context))
    let url = try #require(WebURL("https://api.example/"))
    let given = try await authorizer.credentials(for: HTTPRequest("GET", url), using: api)
    return (given, api.requests)
  }

  private let body =
    #""url":"https://id.example/login","body":{"json":{"user":"ann","password":"p{x}s"}}"#

  @Test func tokenOfTheBodyIsABearerTokenUnlessSaidOtherwise() async throws {
    let (given, sent) = try await credentials("{\(body)}", .init(body: #"{"token":"t"}"#))
    #expect(given == [.header(name: "Authorization", value: "Bearer t")])
    #expect(sent[0].method == "POST")
    #expect(sent[0].text == #"{"user":"ann","password":"p{x}s"}"#)
    #expect(sent[0].staysAtOrigin)
  }

  @Test(arguments: [
    ("header", Credential.header(name: "X-S", value: "T 7")),
    ("query", .query(name: "X-S", value: "T 7")), ("cookie", .cookie(name: "X-S", value: "T 7")),
  ])
  func tokenGoesWhereItIsSaid(_ place: String, _ expected: Credential) async throws {
    let (given, _) = try await credentials(
      #"{\#(body),"token":"$.data.id","in":"\#(place)","name":"X-S","prefix":"T "}"#,
      .init(body: #"{"data":{"id":7}}"#))
    #expect(given == [expected])
  }

  @Test func tokenMayBeAHeaderOrACookie() async throws {
    let answer = FakeAPI.Answer(
      headers: [("X-Token", "h"), ("Set-Cookie", "a=1; Path=/"), ("Set-Cookie", "sid=2; Secure")],
      body: "")
    let header = try await credentials(
      #"{\#(body),"token":"header:X-Token","name":"X-S"}"#, answer)
    #expect(header.given == [.header(name: "X-S", value: "h")])
    let cookie = try await credentials(
      #"{\#(body),"token":"header:Set-Cookie","in":"cookie","name":"sid"}"#, answer)
    #expect(cookie.given == [.cookie(name: "sid", value: "2")])
  }

  @Test func parametersAreFilledIn() async throws {
    let (_, sent) = try await credentials(
      #"{"url":"https://id.example/{tenant}/login","body":{"form":{"user":"{who}"}}}"#,
      .init(body: #"{"token":"t"}"#), parameters: ["tenant": "a b", "who": "ann&bob"])
    #expect(sent[0].url.description == "https://id.example/a%20b/login")
    #expect(sent[0].text == "user=ann%26bob")
  }

  @Test func answerWithoutATokenSaysSo() async throws {
    let error = await #expect(throws: AggregateError.self) {
      try await credentials("{\(body)}", .init(body: "{}"))
    }
    #expect(error?.message.contains("$.token") == true)
    let refused = await #expect(throws: AggregateError.self) {
      try await credentials("{\(body)}", .init(status: 401, body: "{}"))
    }
    #expect(refused?.message.contains("the login failed") == true)
    #expect(refused?.status == 401)
  }
}
