import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

@Suite struct HTTPTransportTests {
  private static let rows = #"{"items":[1,2,3]}"#

  @Test func answerComesWithStatusHeadersAndBody() async throws {
    let server = try FixtureServer.start { _ in
      .json(Self.rows, headers: [HTTPField("X-A", "1"), HTTPField("x-a", " 2 ")])
    }
    let fixture = TransportFixture()
    let answer = try await fixture.get("\(server.baseURL)/a?b=c%20d")
    #expect(answer.status == 200)
    #expect(answer.body.text == Self.rows)
    #expect(answer.header("X-A") == "1, 2")
    #expect(server.requests[0].target == "/a?b=c%20d")
    #expect(server.requests[0].header("User-Agent") == "aggregate/test")
    #expect(fixture.said.lines.count == 1)
    #expect(fixture.said.lines[0].hasPrefix("GET \(server.baseURL)/a?b=c%20d → 200, 17 B, "))
  }

  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func passingFailureIsTriedAgain(_ status: Int) async throws {
    let server = try FixtureServer.start {
      $0.index < 2 ? .json("{}", status: status) : .json("[]")
    }
    let fixture = TransportFixture()
    #expect(try await fixture.get(server.baseURL).body.text == "[]")
    #expect(server.requests.count == 3)
    #expect(fixture.transport.metrics.figures.retries == 2)
    #expect(fixture.transport.metrics.figures.requests == 3)
  }

  @Test func attemptsCountTheFirstTry() async throws {
    let server = try FixtureServer.start { _ in .json(#"{"message":"closed"}"#, status: 503) }
    let fixture = TransportFixture { $0.attempts = 3 }
    let error = try await fixture.failure("\(server.baseURL)/x?page=7")
    #expect(server.requests.count == 3)
    #expect(error?.code == .unavailable)
    #expect(error?.status == 503)
    #expect(error?.source == "src")
    #expect(error?.message.contains("\(server.baseURL)/x?page=7 answered 503") == true)
    #expect(error?.message.contains("closed") == true)
    #expect(error?.message.contains("3 tries") == true)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 422])
  func refusalIsFinal(_ status: Int) async throws {
    let server = try FixtureServer.start { _ in .json("{}", status: status) }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.code == .rejected)
    #expect(error?.status == status)
    #expect(server.requests.count == 1)
  }

  @Test func htmlIsToldAsAPage() async throws {
    let server = try FixtureServer.start { _ in
      .init(404, Array("\n<!DOCTYPE html><html><body>Oh no</body></html>".utf8))
    }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.message.hasSuffix("answered 404: an HTML page") == true)
  }

  @Test func judgeDecidesFirst() async throws {
    let server = try FixtureServer.start { _ in .json("{}", status: 503) }
    let fixture = TransportFixture()
    var request = HTTPRequest("GET", try parsed(server.baseURL))
    request.judge = { _ in .fail(message: "closed for lunch") }
    let error = await fixture.failure(request)
    #expect(error?.message.hasSuffix("closed for lunch") == true)
    #expect(server.requests.count == 1)
    request.judge = { _ in .accept }
    #expect(try await fixture.transport.send(request).status == 503)
    #expect(server.requests.count == 2)
  }

  @Test func judgeMayAskForAnotherTry() async throws {
    let server = try FixtureServer.start { $0.index == 0 ? .json("1") : .json("2") }
    var request = HTTPRequest("GET", try parsed(server.baseURL))
    request.judge = { $0.body.text == "1" ? .retry(message: nil) : nil }
    #expect(try await TransportFixture().transport.send(request).body.text == "2")
  }

  @Test func refusedConnectionSaysSo() async throws {
    let fixture = TransportFixture { $0.attempts = 2 }
    let error = try await fixture.failure("http://127.0.0.1:9/x")
    #expect(error?.code == .unavailable)
    #expect(error?.message == "GET http://127.0.0.1:9/x: connection refused (2 tries)")
  }

  @Test(arguments: [0, 5], [true, false])
  func cutBodyIsFetchedAgain(_ bytes: Int, _ resets: Bool) async throws {
    let server = try FixtureServer.start {
      $0.index == 0 ? .json(Self.rows).cut(after: bytes, resets: resets) : .json(Self.rows)
    }
    #expect(try await TransportFixture().get(server.baseURL).body.text == Self.rows)
  }

  @Test func cutChunkedBodyIsFetchedAgain() async throws {
    let server = try FixtureServer.start {
      $0.index == 0
        ? .json(Self.rows).chunked(3).cut(after: 6, resets: false) : .json(Self.rows).chunked(3)
    }
    #expect(try await TransportFixture().get(server.baseURL).body.text == Self.rows)
    #expect(server.requests.count == 2)
  }

  @Test func retriesOfOneFailureAreOneSummary() async throws {
    let server = try FixtureServer.start { _ in .json("{}", status: 500) }
    let fixture = TransportFixture()
    _ = try await fixture.failure(server.baseURL)
    #expect(fixture.said.lines.allSatisfy { $0.hasPrefix("GET ") })
    #expect(fixture.said.lines.count == 4)
  }

  @Test func requestsUnderWayAreBounded() async throws {
    let server = try FixtureServer.start { _ in .json("[]").after(.milliseconds(20)) }
    let fixture = TransportFixture(jobs: 7)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for i in 0..<100 {
        group.addTask { try await fixture.get("\(server.baseURL)/\(i)").status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.requests.count == 100)
    #expect(server.mostUnderWay <= 7)
    #expect(server.mostUnderWay > 1)
    #expect(server.connectionCount <= 7)
  }

  @Test func concurrencyOfASourceIsBounded() async throws {
    let server = try FixtureServer.start { _ in .json("[]").after(.milliseconds(20)) }
    let fixture = TransportFixture(jobs: 8, concurrency: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for i in 0..<12 { group.addTask { _ = try await fixture.get("\(server.baseURL)/\(i)") } }
      try await group.waitForAll()
    }
    #expect(server.mostUnderWay == 2)
  }

  @Test(arguments: ["body", "backoff", "slot"])
  func cancellationIsQuick(_ place: String) async throws {
    let server = try FixtureServer.start { _ in
      place == "backoff"
        ? .json("{}", status: 503, headers: [HTTPField("Retry-After", "40")])
        : .json("[]").after(.seconds(40))
    }
    let fixture = TransportFixture(jobs: 1) { $0.maxWait = .seconds(60) }
    let blocker = Task { if place == "slot" { _ = try await fixture.get(server.baseURL) } }
    try await Task.sleep(for: .milliseconds(50))
    let task = Task { try await fixture.get(server.baseURL) }
    try await Task.sleep(for: .milliseconds(100))
    let start = ContinuousClock.now
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Far less than what it was waiting for, however busy the machine is with other tests.
    #expect(ContinuousClock.now - start < .seconds(10))
    blocker.cancel()
  }

  @Test func headerWithALineBreakIsRefused() async throws {
    let server = try FixtureServer.start { _ in .json("{}") }
    let request = HTTPRequest(
      "GET", try parsed(server.baseURL), headers: [HTTPField("X", "a\r\nY: b")])
    let error = await TransportFixture().failure(request)
    #expect(error?.code == .rejected)
    #expect(server.requests.isEmpty)
  }

  @Test func postSendsItsBody() async throws {
    let server = try FixtureServer.start { .init(200, $0.body) }
    let request = HTTPRequest(
      "POST", try parsed(server.baseURL), headers: [HTTPField("Content-Type", "text/plain")],
      body: Array("héllo".utf8))
    #expect(try await TransportFixture().transport.send(request).body.text == "héllo")
    #expect(server.requests[0].method == "POST")
    #expect(server.requests[0].header("Content-Type") == "text/plain")
  }
}
