import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite(.available(Peer.shared != nil, Peer.isMissing)) struct HTTP2Tests {
  private let peer: Peer

  init() throws { peer = try #require(Peer.shared) }

  private func url(_ behaviour: String) throws -> String {
    "https://127.0.0.1:\(try peer.port("h2-\(behaviour)"))/"
  }

  private func wire(_ server: String) async throws -> WireResponse {
    var policy = RequestPolicy()
    policy.proxy = ""
    policy.tls.authorities = peer.file("ca.pem")
    let engine = CurlEngine(userAgent: "aggregate/test", environment: { _ in nil })
    let address = try parsed("https://127.0.0.1:\(peer.port(server))/")
    return try await engine.exchange(WireRequest("GET", address, policy: policy))
  }

  @Test func versionIsNegotiated() async throws {
    #expect(try await wire("h2-plain").version == "HTTP/2")
    #expect(try await wire("good").version == "HTTP/1.1")
  }

  @Test func requestsAtTheSameTimeShareOneConnection() async throws {
    let fixture = peer.client()
    let address = try url("plain")
    let said = try await withThrowingTaskGroup(of: Peer.Said.self) { group in
      for _ in 0..<20 { group.addTask { try await Peer.Said(fixture.get(address)) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(said.map(\.connection)).count == 1)
    #expect(Set(said.map(\.stream)).count == 20)
  }

  @Test func refusedStreamIsSentAgainWithoutBeingATry() async throws {
    // The first stream of all is refused: those after it are served.
    let fixture = peer.client { $0.attempts = 1 }
    for _ in 0..<2 { #expect(try await fixture.get(url("refused")).status == 200) }
  }

  @Test(arguments: ["goaway", "broken"])
  func connectionThatGoesAwayIsTriedAgain(_ behaviour: String) async throws {
    let fixture = peer.client { $0.attempts = 2 }
    for _ in 0..<2 { _ = try await Peer.Said(fixture.get(url(behaviour))) }
    #expect(fixture.transport.metrics.figures.retries <= 1)
  }
}
