import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

@testable import AggregateTransport

@Suite struct CacheTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("cache/cache.db") }

  /// A server whose answer has the given fields, and can be changed and taken down.
  private final class Origin: Sendable {
    let body = Mutex("v1")
    let isDown = Mutex(false)
    let server: FixtureServer

    init(_ fields: [(String, String)], status: Int = 200) throws {
      let fields = fields.map { HTTPField($0.0, $0.1) }
      let handler = Handler()
      server = try FixtureServer.start { request in
        guard let origin = handler.origin.withLock({ $0?.value }) else { return .json("{}") }
        if origin.isDown.withLock({ $0 }) { return .json("{}", status: 503) }
        let body = origin.body.withLock { $0 }
        let tag = "\"\(body)\""
        let all = fields.map {
          HTTPField($0.name, $0.value.replacingOccurrences(of: "TAG", with: tag))
        }
        let modified = all.first { $0.name == "Last-Modified" }?.value
        if request.header("If-None-Match") == tag
          || modified != nil && request.header("If-Modified-Since") == modified
        {
          return .init(304, headers: all)
        }
        return .init(
          status, Array("\(body) \(request.header("X-Lang") ?? "")".utf8), headers: all)
      }
      handler.origin.withLock { $0 = Weak(self) }
    }

    private struct Weak: Sendable {
      weak let value: Origin?
      init(_ value: Origin) { self.value = value }
    }

    private final class Handler: Sendable {
      let origin = Mutex<Weak?>(nil)
    }
  }

  /// One run: a new client over the same store.
  private func client(
    _ change: (inout CachePolicy) -> Void = { _ in }, identity: String = ""
  ) -> (client: CacheClient, fixture: TransportFixture) {
    var policy = CachePolicy()
    change(&policy)
    let fixture = TransportFixture { $0.attempts = 1 }
    let client = CacheClient(
      source: "src", inner: fixture.transport, store: CacheStore(path: path), policy: policy,
      identity: identity, metrics: fixture.transport.metrics, log: fixture.transport.log,
      redactor: fixture.redactor)
    return (client, fixture)
  }

  private func get(
    _ origin: Origin, _ change: (inout CachePolicy) -> Void = { _ in }, identity: String = "",
    headers: [HTTPField] = [], path: String = "/a"
  ) async throws -> String {
    let request = HTTPRequest(
      "GET", try parsed("\(origin.server.baseURL)\(path)"), headers: headers)
    return try await client(change, identity: identity).client.send(request).body.text.trimmed
  }

  @Test(
    arguments: [
      ([("Cache-Control", "max-age=60")], 1), ([("Cache-Control", "private, max-age=\"60\"")], 1),
      ([("Expires", "Fri, 01 Jan 2100 00:00:00 GMT")], 1), ([], 2), ([("Expires", "0")], 2),
      ([("Cache-Control", "no-store, max-age=60")], 2), ([("Cache-Control", "s-maxage=60")], 2),
      ([("Cache-Control", "max-age=60"), ("Age", "60")], 2),
      ([("Cache-Control", "max-age=60"), ("Vary", "*")], 2),
      ([("Cache-Control", "max-age=60, max-age=0")], 2),
      ([("Cache-Control", "max-age=60, no-cache")], 2), ([("ETag", "TAG")], 2),
    ] as [([(String, String)], Int)])
  func onlyWhatIsSaidToBeFreshIsNotAskedFor(_ fields: [(String, String)], _ count: Int) async throws
  {
    let origin = try Origin(fields)
    for _ in 0..<2 { #expect(try await get(origin) == "v1") }
    #expect(origin.server.requests.count == count)
  }

  @Test(arguments: [("ETag", "TAG"), ("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")])
  func validatorIsUsed(_ name: String, _ value: String) async throws {
    let origin = try Origin([(name, value)])
    #expect(try await get(origin) == "v1")
    let (client, fixture) = client()
    var request = HTTPRequest("GET", try parsed("\(origin.server.baseURL)/a"))
    request.judge = { $0.body.count == 0 ? .fail(message: "empty") : nil }
    let answer = try await client.send(request)
    #expect(answer.status == 200)
    #expect(answer.body.text == "v1 ")
    #expect(fixture.transport.metrics.figures.cacheRevalidated == 1)
    let field = name == "ETag" ? "If-None-Match" : "If-Modified-Since"
    #expect(origin.server.requests[0].header(field) == nil)
    #expect(origin.server.requests[1].header(field) == (name == "ETag" ? "\"v1\"" : value))
  }

  @Test func changedAnswerReplacesTheOld() async throws {
    let origin = try Origin([("ETag", "TAG")])
    #expect(try await get(origin) == "v1")
    origin.body.withLock { $0 = "v2" }
    for _ in 0..<2 { #expect(try await get(origin) == "v2") }
    #expect(try CacheStore(path: path).statistics().entries == 1)
  }

  @Test func varyingFieldsKeepAnswersApart() async throws {
    let origin = try Origin([("Cache-Control", "max-age=60"), ("Vary", "X-Lang, Accept-Encoding")])
    for language in ["en", "fr", "en", "fr"] {
      let headers = [HTTPField("x-lang", language)]
      #expect(try await get(origin, headers: headers) == "v1 \(language)")
    }
    #expect(origin.server.requests.count == 2)
  }

  @Test func usersDoNotShareAnswers() async throws {
    let origin = try Origin([("Cache-Control", "max-age=60")])
    for identity in ["ann", "bob", "ann"] { _ = try await get(origin, identity: identity) }
    for token in ["a", "b", "a"] {
      _ = try await get(origin, headers: [HTTPField("Authorization", token)])
    }
    #expect(origin.server.requests.count == 4)
  }

  @Test func modesDecideWhereAnswersComeFrom() async throws {
    let origin = try Origin([("Cache-Control", "max-age=60")])
    await #expect(throws: AggregateError.self) { try await get(origin, { $0.mode = .offline }) }
    #expect(origin.server.requests.isEmpty)
    _ = try await get(origin)
    origin.body.withLock { $0 = "v2" }
    #expect(try await get(origin, { $0.mode = .offline }) == "v1")
    #expect(try await get(origin, { $0.mode = .refresh }) == "v2")
    #expect(try await get(origin) == "v2")
    #expect(origin.server.requests.count == 2)
  }

  @Test func declaredTimeStandsInPlaceOfTheServers() async throws {
    let origin = try Origin([])
    for _ in 0..<2 { _ = try await get(origin, { $0.ttl = .seconds(60) }) }
    #expect(origin.server.requests.count == 1)
    _ = try await get(origin, { $0.ttl = .zero })
    #expect(origin.server.requests.count == 2)
  }

  @Test func staleAnswerStandsInOnlyWhenAllowed() async throws {
    let origin = try Origin([("Cache-Control", "max-age=0")])
    _ = try await get(origin)
    origin.isDown.withLock { $0 = true }
    await #expect(throws: AggregateError.self) { try await get(origin) }
    let (client, fixture) = client { $0.staleIfError = .seconds(60) }
    let answer = try await client.send(HTTPRequest("GET", try parsed("\(origin.server.baseURL)/a")))
    #expect(answer.body.text == "v1 ")
    #expect(fixture.transport.log.warnings.first?.contains("stale") == true)
    #expect(fixture.transport.metrics.figures.stale == 1)
  }

  @Test func errorsAndOtherMethodsAreNotKept() async throws {
    let missing = try Origin([("Cache-Control", "max-age=60")], status: 404)
    for _ in 0..<2 { await #expect(throws: AggregateError.self) { try await get(missing) } }
    #expect(missing.server.requests.count == 2)
    let origin = try Origin([("Cache-Control", "max-age=60")])
    let url = try parsed("\(origin.server.baseURL)/a")
    for _ in 0..<2 { _ = try await client().client.send(HTTPRequest("POST", url)) }
    #expect(origin.server.requests.count == 2)
  }

  @Test func clearingForgetsEverything() async throws {
    let origin = try Origin([("Cache-Control", "max-age=60")])
    _ = try await get(origin, path: "/a?q=1")
    _ = try await get(origin, path: "/a?q=2")
    let store = CacheStore(path: path)
    #expect(try store.statistics().entries == 2)
    #expect(try store.statistics().bytes == 6)
    #expect(try store.clear() == 2)
    #expect(try store.statistics() == .init(entries: 0, bytes: 0, oldest: nil))
    _ = try await get(origin, path: "/a?q=1")
    #expect(origin.server.requests.count == 3)
  }

  @Test func cacheThatCannotBeOpenedOnlyWarns() async throws {
    let origin = try Origin([("Cache-Control", "max-age=60")])
    let fixture = TransportFixture()
    let client = CacheClient(
      source: "src", inner: fixture.transport, store: CacheStore(path: "/proc/no/cache.db"),
      policy: CachePolicy(), metrics: fixture.transport.metrics, log: fixture.transport.log,
      redactor: fixture.redactor)
    _ = try await client.send(HTTPRequest("GET", try parsed("\(origin.server.baseURL)/a")))
    #expect(fixture.transport.log.warnings.count == 1)
  }

  @Test func staleAnswerIsKeptForWhoAsksForItAndToldOf() async throws {
    let origin = try Origin([])
    #expect(try await get(origin) == "v1")
    #expect(try await get(origin) { $0.staleIfError = .seconds(3600) } == "v1")
    origin.isDown.withLock { $0 = true }
    await #expect(throws: AggregateError.self) { try await get(origin) }
    let told = Mutex<[Int?]>([])
    let fixture = TransportFixture { $0.attempts = 1 }
    var policy = CachePolicy()
    policy.staleIfError = .seconds(3600)
    let client = CacheClient(
      source: "src", inner: fixture.transport, store: CacheStore(path: path), policy: policy,
      metrics: fixture.transport.metrics, log: fixture.transport.log, redactor: fixture.redactor,
      onStale: { error in told.withLock { $0.append(error.status) } })
    let request = HTTPRequest("GET", try parsed("\(origin.server.baseURL)/a"))
    #expect(try await client.send(request).body.text.trimmed == "v1")
    #expect(told.withLock { $0 } == [503])
  }
}
