import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

@Suite struct ConnectionReuseTests {
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]"

  @Test func connectionIsUsedAgain() async throws {
    let server = try FixtureServer.start { _ in .json("[1]") }
    let fixture = TransportFixture()
    for _ in 0..<5 { _ = try await fixture.get(server.baseURL) }
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [
    "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\n[1]",
  ])
  func connectionThatWillCloseIsNotUsedAgain(_ text: String) async throws {
    let server = try FixtureServer.start { _ in .raw(text) }
    let fixture = TransportFixture { $0.attempts = 1 }
    for _ in 0..<3 { _ = try await fixture.get(server.baseURL) }
    #expect(server.connectionCount == 3)
  }

  @Test(arguments: ["GET", "POST"])
  func connectionThatClosesUnderARequestIsNoTry(_ method: String) async throws {
    // The second request on a connection finds it closed: the server gave up waiting just then.
    let server = try FixtureServer.start { request in
      request.index % 2 == 1 ? .raw("", closes: true) : .raw(Self.answer)
    }
    let fixture = TransportFixture { $0.attempts = 1 }
    let request = HTTPRequest(
      method, try parsed(server.baseURL), body: method == "POST" ? Array("a=1".utf8) : nil)
    for _ in 0..<3 {
      #expect(try await fixture.transport.send(request).body.text == "[1]")
    }
    #expect(fixture.transport.metrics.figures.requests == 3)
    #expect(fixture.transport.metrics.figures.retries == 0)
    #expect(server.connectionCount > 1)
    #expect(server.requests.allSatisfy { $0.body == (request.body ?? []) })
  }

  @Test func connectionThatClosesWithinAnAnswerIsATry() async throws {
    let server = try FixtureServer.start { request in
      request.index == 1 ? .raw("HTTP/1.1 200 OK\r\n", closes: true) : .raw(Self.answer)
    }
    let fixture = TransportFixture()
    for _ in 0..<2 { _ = try await fixture.get(server.baseURL) }
    #expect(fixture.transport.metrics.figures.retries == 1)
  }

  @Test func newConnectionThatClosesIsATry() async throws {
    let server = try FixtureServer.start { $0.index == 0 ? .raw("", closes: true) : .json("[1]") }
    let fixture = TransportFixture()
    _ = try await fixture.get(server.baseURL)
    #expect(fixture.transport.metrics.figures.retries == 1)
  }

  @Test func idleConnectionThatClosedIsNoTry() async throws {
    let server = try FixtureServer.start { _ in .raw(Self.answer, closes: true) }
    let fixture = TransportFixture { $0.attempts = 1 }
    for _ in 0..<4 { #expect(try await fixture.get(server.baseURL).body.text == "[1]") }
    #expect(fixture.transport.metrics.figures.retries == 0)
  }

  @Test func nothingIsExpectedBeforeALargeBodyIsSent() async throws {
    let server = try FixtureServer.start { _ in .json("[1]") }
    let body = [UInt8](repeating: 65, count: 2_000_000)
    let request = HTTPRequest("POST", try parsed(server.baseURL), body: body)
    _ = try await TransportFixture().transport.send(request)
    #expect(server.requests[0].header("Expect") == nil)
    #expect(server.requests[0].body.count == body.count)
  }
}
