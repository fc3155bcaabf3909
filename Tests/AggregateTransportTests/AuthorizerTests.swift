import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateTransport

@Suite struct AuthorizerTests {
  /// Logs in at `/login`, and again when told to.
  private final class Login: RequestAuthorizer {
    let base: String
    let token = Mutex<String?>(nil)
    init(_ base: String) { self.base = base }

    func credentials(
      for request: HTTPRequest, using client: any HTTPClient
    ) async throws -> [Credential] {
      if let token = token.withLock({ $0 }) {
        return [.header(name: "Authorization", value: "Bearer \(token)")]
      }
      let answer = try await client.send(HTTPRequest("POST", try parsed("\(base)/login"), body: []))
      token.withLock { $0 = answer.body.text }
      return [.header(name: "Authorization", value: "Bearer \(answer.body.text)")]
    }

    func renew(
      after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
    ) async throws -> CredentialRenewal {
      token.withLock { $0 = nil }
      return .renewed
    }
  }

  private final class Keys: RequestAuthorizer {
    let next = Mutex(1)
    var refusals: Set<Int> { [401, 429] }
    var renewals: Int { 3 }

    func credentials(
      for request: HTTPRequest, using client: any HTTPClient
    ) async throws -> [Credential] {
      [.header(name: "X-Key", value: "key-\(next.withLock { $0 })")]
    }

    func renew(
      after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
    ) async throws -> CredentialRenewal {
      next.withLock { next in
        next += 1
        return next <= 2 ? .renewed : .none
      }
    }
  }

  @Test func refusedTokenIsRenewedOnceAndTheRequestReplayed() async throws {
    let server = try FixtureServer.start { request in
      if request.path == "/login" { return .init(200, Array("token-\(request.index)".utf8)) }
      let isGood = request.header("Authorization") == "Bearer token-2"
      return isGood ? .init(200, request.body) : .json("{}", status: 401)
    }
    var request = HTTPRequest("POST", try parsed("\(server.baseURL)/a"), body: [65])
    request.authorizer = Login(server.baseURL)
    let fixture = TransportFixture(jobs: 1) { $0.attempts = 1 }
    #expect(try await fixture.transport.send(request).body.text == "A")
    #expect(server.requests.map(\.path) == ["/login", "/a", "/login", "/a"])
    #expect(fixture.redactor.redact("token-2") == "***")
  }

  @Test func tokenRefusedAgainIsAnError() async throws {
    let server = try FixtureServer.start { request in
      request.path == "/login" ? .init(200, [65]) : .json("{}", status: 401)
    }
    var request = HTTPRequest("GET", try parsed("\(server.baseURL)/a"))
    request.authorizer = Login(server.baseURL)
    let error = await TransportFixture().failure(request)
    #expect(error?.status == 401)
    #expect(server.requests.count == 4)
  }

  /// Tokens that are good for one request each, had one after the other.
  private final class SingleUse: RequestAuthorizer {
    let base: String
    private let current = Mutex("")

    init(_ base: String) { self.base = base }

    func credentials(
      for request: HTTPRequest, using client: any HTTPClient
    ) async throws -> [Credential] {
      [.header(name: "Authorization", value: current.withLock { $0 })]
    }

    func renew(
      after response: HTTPResponse, refused credentials: [Credential], using client: any HTTPClient
    ) async throws -> CredentialRenewal {
      let known = Credential.header(name: "Authorization", value: current.withLock { $0 })
      guard credentials == [known] else { return .changed }
      let token = try await client.send(HTTPRequest("GET", try parsed("\(base)/login"))).body.text
      current.withLock { $0 = token }
      return .renewed
    }
  }

  @Test func renewedTokenIsKeptForTheRequestThatNeededIt() async throws {
    let used = Mutex<Set<String>>([])
    let server = try FixtureServer.start { request in
      if request.path == "/login" { return .init(200, Array("token-\(request.index)".utf8)) }
      let token = request.header("Authorization") ?? ""
      let isGood = token.hasPrefix("token-") && used.withLock { $0.insert(token).inserted }
      return .json("[]", status: isGood ? 200 : 401).after(.milliseconds(request.index % 3))
    }
    let authorizer = SingleUse(server.baseURL)
    let fixture = TransportFixture()
    let requests = try (0..<40).map { index in
      var request = HTTPRequest("GET", try parsed("\(server.baseURL)/\(index)"))
      request.authorizer = authorizer
      return request
    }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for request in requests {
        group.addTask { try await fixture.transport.send(request).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(used.withLock(\.count) == 40)
  }

  @Test func keysRotateWithoutWaiting() async throws {
    let server = try FixtureServer.start { request in
      request.header("X-Key") == "key-2"
        ? .json("[]") : .json("{}", status: 429, headers: [HTTPField("Retry-After", "3600")])
    }
    var request = HTTPRequest("GET", try parsed("\(server.baseURL)/a"))
    request.authorizer = Keys()
    #expect(try await TransportFixture().transport.send(request).status == 200)
    #expect(server.requests.count == 2)
  }

  @Test func signatureIsMadeByTheLibrary() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    let request = HTTPRequest(
      "GET", try parsed("\(server.baseURL)/a?b=2&a=1"),
      credentials: [
        .awsSigV4(
          region: "eu-west-1", service: "execute-api", accessKey: "AKID", secretKey: "secret",
          token: "session")
      ])
    _ = try await TransportFixture().transport.send(request)
    let sent = server.requests[0]
    #expect(sent.target == "/a?a=1&b=2")
    #expect(sent.header("X-Amz-Security-Token") == "session")
    #expect(sent.header("Authorization")?.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/") == true)
  }

  @Test func ruleMayAskForARenewal() async throws {
    let server = try FixtureServer.start { request in
      if request.path == "/login" { return .init(200, Array("token-\(request.index)".utf8)) }
      let isGood = request.header("Authorization") == "Bearer token-2"
      return .json(isGood ? "[1]" : "{}", status: isGood ? 200 : 403)
    }
    var request = HTTPRequest("GET", try parsed("\(server.baseURL)/a"))
    request.authorizer = Login(server.baseURL)
    request.judge = { $0.status == 403 ? .renew(message: "signed out") : nil }
    #expect(try await TransportFixture(jobs: 1).transport.send(request).body.text == "[1]")
    request.authorizer = nil
    let error = await TransportFixture().failure(request)
    #expect(error?.message.contains("signed out") == true)
  }

  @Test func recordingNeedsNoCredentials() async throws {
    let server = try FixtureServer.start { request in
      request.index == 0 ? .json("{}", status: 401) : .json("[1]")
    }
    var request = HTTPRequest("GET", try parsed("\(server.baseURL)/a"))
    request.authorizer = Login(server.baseURL)
    #expect(try await TransportFixture(waits: false).transport.send(request).status == 200)
    #expect(server.requests.map(\.path) == ["/a", "/a"])
  }

  @Test func secretBodyDoesNotFollowToAnotherHost() async throws {
    let server = try FixtureServer.start { request in
      request.path == "/login"
        ? .redirect(
          "http://localhost:\(request.header("Host")?.split(separator: ":").last ?? "")/x",
          status: 307)
        : .json("[]")
    }
    var request = HTTPRequest("POST", try parsed("\(server.baseURL)/login"), body: [65])
    request.staysAtOrigin = true
    let error = await TransportFixture().failure(request)
    #expect(error?.message.contains("another host") == true)
    #expect(server.requests.count == 1)
  }
}
