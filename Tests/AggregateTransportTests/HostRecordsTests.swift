import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateTransport

@Suite struct HostRecordsTests {
  @Test func hostThatIsDownIsLeftAlone() async throws {
    let hosts = HostRecords()
    let fixture = TransportFixture(hosts: hosts) {
      $0.attempts = 1
      $0.breaker = 3
    }
    let server = try FixtureServer.start { _ in .json("{}", status: 503) }
    for _ in 0..<3 {
      #expect(try await fixture.failure(server.baseURL)?.message.contains("answered 503") == true)
    }
    let error = try #require(try await fixture.failure(server.baseURL))
    #expect(error.code == .unavailable)
    #expect(
      error.message.contains("is not asked: 3 requests to it failed in a row, the last with “503”"))
    #expect(error.message.contains("it is tried again in "))
    #expect(server.requests.count == 3)
    let figures = try #require(hosts.figures.first)
    #expect(figures.requests == 3 && figures.notSent == 1 && figures.failures == ["503": 3])
  }

  @Test func answersThatSayNothingOfTheHostDoNotCount() async throws {
    let fixture = TransportFixture {
      $0.attempts = 1
      $0.breaker = 2
    }
    let server = try FixtureServer.start { request in
      .json("{}", status: [404, 500, 503, 404][request.index % 4])
    }
    for _ in 0..<12 { _ = try await fixture.failure(server.baseURL) }
    #expect(server.requests.count == 12)
  }

  @Test func zeroSwitchesTheBreakerOffForThatSource() async throws {
    let hosts = HostRecords()
    let never = TransportFixture(hosts: hosts) {
      $0.attempts = 2
      $0.maxWait = .milliseconds(1)
      $0.breaker = 0
    }
    let other = TransportFixture(hosts: hosts) {
      $0.attempts = 1
      $0.breaker = 1
    }
    let server = try FixtureServer.start { _ in .json("{}", status: 503) }
    for _ in 0..<4 { _ = try await never.failure(server.baseURL) }
    #expect(server.requests.count == 8)
    // What failed there says nothing to the other, and the other's breaker nothing to it.
    _ = try await other.failure(server.baseURL)
    _ = try await other.failure(server.baseURL)
    #expect(server.requests.count == 9)
    _ = try await never.failure(server.baseURL)
    #expect(server.requests.count == 11)
  }

  @Test func recordingIsReadToItsEndWhateverFailed() async throws {
    let fixture = TransportFixture(waits: false) {
      $0.attempts = 3
      $0.breaker = 1
    }
    let server = try FixtureServer.start { _ in .json("{}", status: 503) }
    for _ in 0..<3 { _ = try await fixture.failure(server.baseURL) }
    #expect(server.requests.count == 9)
  }

  @Test func sourcesShareAHostThatIsDown() async throws {
    let hosts = HostRecords()
    let server = try FixtureServer.start { _ in .json("{}", status: 502) }
    for index in 0..<4 {
      let fixture = TransportFixture(hosts: hosts) {
        $0.attempts = 1
        $0.breaker = 2
      }
      let error = try #require(try await fixture.failure(server.baseURL))
      #expect(error.message.contains("is not asked") == (index >= 2))
    }
    #expect(server.requests.count == 2)
  }

  @Test func sourcesShareThePauseThatAHostAskedFor() async throws {
    let hosts = HostRecords()
    let server = try FixtureServer.start {
      $0.index == 0
        ? .json("{}", status: 429, headers: [HTTPField("Retry-After", "1")]) : .json("[]")
    }
    let first = TransportFixture(hosts: hosts)
    let second = TransportFixture(hosts: hosts)
    async let one = first.get(server.baseURL)
    while hosts.figures.first?.asked ?? 0 < 0.5 { try await Task.sleep(for: .milliseconds(1)) }
    _ = try await second.get(server.baseURL)
    _ = try await one
    for later in server.requests.dropFirst() {
      #expect(later.at - server.requests[0].at >= .seconds(1))
    }
    #expect(second.said.lines.allSatisfy { !$0.contains("asked") })
  }

  @Test func pausesThatOverlapCountOnce() throws {
    let hosts = HostRecords()
    let url = try parsed("http://Example.com:8080/a")
    #expect(hosts.pause(url, seconds: 10))
    #expect(!hosts.pause(url, seconds: 9))
    #expect(hosts.pause(url, seconds: 15))
    #expect(!hosts.pause(url, seconds: 15.5))
    let figures = try #require(hosts.figures.first)
    #expect(figures.host == "example.com:8080")
    #expect(figures.asked > 15.4 && figures.asked < 25)
    #expect(hosts.pauseLeft(url) > 10)
    #expect(hosts.pauseLeft(try parsed("http://example.com/")) <= 0)
  }

  @Test func failuresAreListedByFrequency() {
    var figures = HostRecords.Figures(host: "a")
    figures.failures = ["503": 2, "timeout": 7, "429": 2]
    #expect(figures.failuresByCount.map(\.reason) == ["timeout", "429", "503"])
  }
}
