import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite struct WaitTests {
  @Test func datesOfAllThreeForms() {
    let expected = Instant(seconds: 784_111_777)
    #expect(Instant(httpDate: "Sun, 06 Nov 1994 08:49:37 GMT") == expected)
    #expect(Instant(httpDate: "Sunday, 06-Nov-94 08:49:37 GMT") == expected)
    #expect(Instant(httpDate: "Sun Nov  6 08:49:37 1994") == expected)
    for bad in [
      "", "0", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "a b c d e",
    ] {
      #expect(Instant(httpDate: bad) == nil)
    }
  }

  @Test func backoffDoublesWithinItsBounds() {
    for attempt in 1...40 {
      let wait = WaitAdvice.backoff(after: attempt, maxWait: 3)
      #expect(wait >= 0 && wait <= min(3, 0.25 * pow(2, Double(attempt - 1))))
    }
  }

  @Test func serverIsObeyedAndTheWaitIsTold() async throws {
    let server = try FixtureServer.start {
      $0.index == 0
        ? .json("{}", status: 429, headers: [HTTPField("Retry-After", "1")]) : .json("[]")
    }
    let fixture = TransportFixture()
    _ = try await fixture.get(server.baseURL)
    #expect(server.requests[1].at - server.requests[0].at >= .seconds(1))
    #expect(fixture.said.lines.contains("src: waiting 1 s, 127.0.0.1 asked"))
    #expect(fixture.transport.metrics.figures.waited >= 1)
  }

  @Test func longWaitEndsAtOnce() async throws {
    let server = try FixtureServer.start { _ in
      .json("{}", status: 429, headers: [HTTPField("Retry-After", "86400")])
    }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(server.requests.count == 1)
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("asked to wait 24 h, longer than max_wait (2 s)") == true)
  }

  @Test func recordingsAreNotWaitedFor() async throws {
    let server = try FixtureServer.start {
      $0.index == 0
        ? .json("{}", status: 429, headers: [HTTPField("Retry-After", "86400")]) : .json("[]")
    }
    let fixture = TransportFixture(waits: false)
    #expect(try await fixture.get(server.baseURL).body.text == "[]")
  }

  @Test func silentServerTimesOut() async throws {
    let server = try FixtureServer.start { _ in .json("[]").after(.seconds(30)) }
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.totalTimeout = .milliseconds(300)
    }
    let start = ContinuousClock.now
    let error = try await fixture.failure(server.baseURL)
    #expect(error?.message.contains("timeout: no complete answer within 300 ms") == true)
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func silenceOnAnOldConnectionTimesOut() async throws {
    let server = try FixtureServer.start {
      $0.index == 0 ? .json("[]") : .json("[]").after(.seconds(30))
    }
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.totalTimeout = .milliseconds(300)
    }
    _ = try await fixture.get(server.baseURL)
    let error = try await fixture.failure(server.baseURL)
    #expect(error?.message.contains("timeout: no complete answer within 300 ms") == true)
    #expect(server.connectionCount == 1)
  }

  @Test func slowButSteadyAnswerIsNotStalled() async throws {
    let server = try FixtureServer.start { _ in .json("[1,2,3,4,5]").dripping(.milliseconds(100)) }
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.stallTimeout = .milliseconds(800)
    }
    #expect(try await fixture.get(server.baseURL).body.count == 11)
  }

  @Test func unreachableAddressTimesOut() async throws {
    // TEST-NET-1: nobody answers there; some networks say so at once.
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.connectTimeout = .milliseconds(200)
      $0.stallTimeout = .milliseconds(50)
    }
    let error = try await fixture.failure("http://192.0.2.1/")
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("not a byte") == false)
  }

  @Test func stalledBodyTimesOut() async throws {
    let server = try FixtureServer.start { _ in .json("[]").after(.seconds(30)) }
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.stallTimeout = .seconds(1)
    }
    let start = ContinuousClock.now
    let error = try await fixture.failure(server.baseURL)
    #expect(error?.message.contains("timeout: not a byte for 1 s") == true)
    #expect(ContinuousClock.now - start < .seconds(15))
  }

  @Test func turnsOfALimitAreKept() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    struct Slow: RequestLimit {
      func reserve() throws -> RequestTurn { RequestTurn(wait: 0.2, reason: "rate_limit 5/s") }
    }
    let fixture = TransportFixture(limit: Slow())
    _ = try await fixture.get(server.baseURL)
    #expect(fixture.transport.metrics.figures.waited >= 0.2)
  }

  @Test func waitThatWasAskedForHoldsForAllRequestsToTheHost() async throws {
    let server = try FixtureServer.start { request in
      request.index == 0
        ? .json("{}", status: 429, headers: [HTTPField("Retry-After", "1")]) : .json("[]")
    }
    let fixture = TransportFixture()
    let url = "\(server.baseURL)/a"
    async let first = fixture.get(url)
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(100))
    async let second = fixture.get(url)
    _ = try await (first, second)
    let times = server.requests.map(\.at)
    #expect(times.count == 3)
    #expect(times.dropFirst().allSatisfy { $0 - times[0] > .milliseconds(990) })
  }
}
