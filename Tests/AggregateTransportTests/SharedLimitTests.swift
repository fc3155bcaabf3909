import AggregateCore
import AggregateState
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite struct SharedLimitTests {
  private let folder = TemporaryFolder()
  private let scope = StateScope(config: "/c", source: "src")

  private func limit(
    _ rate: Quantities.Rate?, quota: Quantities.Rate? = nil, path: String? = nil,
    log: RunLog = .silent
  ) -> SharedLimit? {
    SharedLimit(
      database: StateDatabase(path: path ?? folder.file("state.db")), scope: scope, rate: rate,
      quota: quota,
      log: log)
  }

  @Test func nothingIsLimitedUnlessDeclared() {
    #expect(limit(nil) == nil)
  }

  @Test func rateHoldsOverClients() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    let rate = Quantities.Rate(count: 3, seconds: 1)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let fixture = TransportFixture(limit: limit(rate))
        for _ in 0..<4 { group.addTask { _ = try await fixture.get(server.baseURL) } }
      }
      try await group.waitForAll()
    }
    let times = server.requests.map(\.at).sorted()
    for i in 3..<times.count { #expect(times[i] - times[i - 3] >= .milliseconds(990)) }
  }

  @Test func usedUpQuotaIsAnError() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    let quota = Quantities.Rate(count: 2, seconds: 86_400)
    let fixture = TransportFixture(limit: limit(nil, quota: quota))
    for _ in 0..<2 { _ = try await fixture.get(server.baseURL) }
    let error = try await fixture.failure(server.baseURL)
    #expect(error?.code == .limit)
    #expect(
      error?.message.contains("quota of 2/day is used up; the next request is free in 24 h") == true
    )
    #expect(server.requests.count == 2)
  }

  @Test func cancelledWaitGivesItsTurnBack() async throws {
    let server = try FixtureServer.start { _ in .json("[]") }
    let fixture = TransportFixture(limit: limit(Quantities.Rate(count: 1, seconds: 60)))
    _ = try await fixture.get(server.baseURL)
    let waiting = Task { try await fixture.get(server.baseURL) }
    let isTold = { fixture.said.lines.contains { $0.hasSuffix(" s, rate_limit 1/min") } }
    while !isTold() { try await Task.sleep(for: .milliseconds(10)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let turn = try #require(try limit(Quantities.Rate(count: 1, seconds: 60))?.reserve())
    #expect(turn.wait < 61)
  }

  @Test func limitHoldsWithoutADatabase() throws {
    let log = RunLog(level: .quiet, isStrict: false) { _ in }
    let shared = try #require(
      limit(Quantities.Rate(count: 1, seconds: 60), path: "/proc/no/state.db", log: log))
    #expect(try shared.reserve().wait == 0)
    #expect(try shared.reserve().wait > 50)
    #expect(log.warnings.count == 1)
  }
}
