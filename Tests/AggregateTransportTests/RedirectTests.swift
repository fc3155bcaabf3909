import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

@Suite struct RedirectTests {
  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectIsFollowed(_ status: Int) async throws {
    let server = try FixtureServer.start {
      $0.path == "/rows" ? .json("[1]") : .redirect("../rows?a=1", status: status)
    }
    let answer = try await TransportFixture().get("\(server.baseURL)/x/y?z=1")
    #expect(answer.body.text == "[1]")
    #expect(answer.url.description == "\(server.baseURL)/rows?a=1")
    #expect(server.requests.map(\.target) == ["/x/y?z=1", "/rows?a=1"])
  }

  @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func postBecomesGetOnlyWhereItShould(_ status: Int, _ method: String) async throws {
    let server = try FixtureServer.start {
      $0.path == "/rows" ? .json("[1]") : .redirect("/rows", status: status)
    }
    let request = HTTPRequest(
      "POST", try parsed(server.baseURL), headers: [HTTPField("Content-Type", "a/b")], body: [65])
    _ = try await TransportFixture().transport.send(request)
    #expect(server.requests[1].method == method)
    #expect(server.requests[1].body == (method == "POST" ? [65] : []))
    #expect((server.requests[1].header("Content-Type") != nil) == (method == "POST"))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func headStaysHead(_ status: Int) async throws {
    let server = try FixtureServer.start {
      $0.path == "/rows" ? .json("[1]") : .redirect("/rows", status: status)
    }
    _ = try await TransportFixture().transport.send(HTTPRequest("HEAD", parsed(server.baseURL)))
    #expect(server.requests.map(\.method) == ["HEAD", "HEAD"])
  }

  @Test(arguments: [
    ("/rows", "/rows"), ("rows", "/x/rows"), ("./rows?b=2", "/x/rows?b=2"), ("?b=2", "/x/y?b=2"),
    ("../../../rows#part", "/rows"), ("", "/x/y?a=1"), ("//@HOST@/rows", "/rows"),
    ("HTTP://@HOST@/rows", "/rows"), ("http://ann:c4n4ry@@HOST@/rows", "/rows"),
    ("/a b/ü", "/a%20b/%C3%BC"), (" /rows ", "/rows"),
  ])
  func locationIsResolved(_ location: String, _ target: String) async throws {
    let server = try FixtureServer.start { request in
      let here = location.replacing("@HOST@", with: request.header("Host") ?? "")
      return request.index == 0 ? .redirect(here) : .json("[1]")
    }
    let fixture = TransportFixture()
    if target == "/x/y?a=1" {
      // To itself.
      #expect(try await fixture.failure("\(server.baseURL)/x/y?a=1")?.code == .rejected)
    } else {
      let answer = try await fixture.get("\(server.baseURL)/x/y?a=1")
      #expect(answer.url.description == server.baseURL + target)
      #expect(server.requests[1].target == target)
      #expect(server.requests[1].header("Authorization") == nil)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectWithoutALocationIsAnError(_ status: Int) async throws {
    let server = try FixtureServer.start { _ in .json("[1]", status: status) }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.code == .rejected)
    #expect(error?.message.hasSuffix("answered \(status): a redirect without a Location") == true)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["ftp://h/", "mailto:a@b", "http:///x", "javascript:1", "http://", "gopher://h"])
  func locationThatIsNoHTTPIsRefused(_ location: String) async throws {
    let server = try FixtureServer.start { _ in .redirect(location) }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.code == .rejected)
    #expect(error?.message.contains("not an HTTP address") == true, "\(error?.message ?? "")")
    #expect(server.requests.count == 1)
  }

  @Test func loopEndsWithAnError() async throws {
    let circle = try FixtureServer.start { _ in .redirect("/loop") }
    let error = try await TransportFixture().failure("\(circle.baseURL)/loop")
    #expect(error?.message.contains("redirect") == true)
    #expect(circle.requests.count == 1)
    let endless = try FixtureServer.start { .redirect("/loop?again=\($0.index)") }
    let other = try await TransportFixture().failure("\(endless.baseURL)/loop")
    #expect(other?.message.contains("more than 10 redirects") == true)
    #expect(endless.requests.count == 11)
  }

  @Test func redirectToAnotherSchemeIsRefused() async throws {
    let server = try FixtureServer.start { _ in .redirect("file:///etc/passwd") }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.code == .rejected)
    #expect(error?.message.contains("not an HTTP address") == true)
  }

  @Test(arguments: [
    Credential.header(name: "Authorization", value: "Bearer c4n4ry-tok"),
    .header(name: "X-Api-Key", value: "c4n4ry-tok"), .query(name: "apikey", value: "c4n4ry-tok"),
    .cookie(name: "sid", value: "c4n4ry-tok"),
    .awsSigV4(
      region: "r", service: "s", accessKey: "c4n4ry-tok", secretKey: "c4n4ry-tok",
      token: "c4n4ry-tok"),
  ])
  func credentialStaysWithItsOrigin(_ credential: Credential) async throws {
    let server = try FixtureServer.start {
      $0.path == "/rows" ? .json("[1]") : .redirect("http://localhost:\($0.query("to") ?? "")/rows")
    }
    let fixture = TransportFixture()
    let url = try parsed("\(server.baseURL)/x?to=\(server.port)")
    _ = try await fixture.transport.send(HTTPRequest("GET", url, credentials: [credential]))
    let sent = server.requests.map { "\($0.target) \($0.headers)" }
    #expect(sent.count == 2)
    #expect(sent[0].contains("c4n4ry-tok"))
    #expect(!sent[1].contains("c4n4ry-tok"))
    #expect(!fixture.said.lines.joined().contains("c4n4ry"))
  }

  @Test func handWrittenSecretsStayWithTheirOrigin() async throws {
    let server = try FixtureServer.start {
      $0.path == "/rows" ? .json("[1]") : .redirect("http://localhost:\($0.query("to") ?? "")/rows")
    }
    let fixture = TransportFixture()
    fixture.redactor.register("from-environment")
    let headers = [
      HTTPField("authorization", "Basic abc"), HTTPField("Cookie", "a=b"),
      HTTPField("X-Key", "k from-environment"), HTTPField("Accept", "text/csv"),
    ]
    let url = try parsed("\(server.baseURL)/x?to=\(server.port)")
    _ = try await fixture.transport.send(HTTPRequest("GET", url, headers: headers))
    let second = server.requests[1]
    #expect(second.header("Authorization") == nil)
    #expect(second.header("Cookie") == nil)
    #expect(second.header("X-Key") == nil)
    #expect(second.header("Accept") == "text/csv")
  }

  @Test func queryCredentialIsNotAddedTwice() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    let request = HTTPRequest(
      "GET", try parsed("\(server.baseURL)/?apikey=k&b=1"),
      credentials: [.query(name: "apikey", value: "k")])
    _ = try await TransportFixture().transport.send(request)
    #expect(server.requests[0].target == "/?apikey=k&b=1")
  }

  @Test func errorsDoNotShowCredentials() async throws {
    let server = try FixtureServer.start { .json(#"{"you_sent":"\#($0.target)"}"#, status: 403) }
    let secret = "c4n4ry+s3cr3t/9f=8e&x"
    let request = HTTPRequest(
      "GET", try parsed("\(server.baseURL)/a"), credentials: [.query(name: "k", value: secret)])
    let fixture = TransportFixture()
    let error = await fixture.failure(request)
    #expect(server.requests[0].query("k") == secret)
    #expect(error?.description.contains("c4n4ry") == false)
    #expect(error?.hint != nil)
  }
}
