import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

/// What is kept: RFC 9111, section 3.
struct CacheStorageTests {
  private static let fresh = "Cache-Control: max-age=60"

  @Test(
    "Only whole answers of statuses that are understood are kept",
    arguments: [
      (200, 1), (203, 1), (201, 0), (202, 0), (204, 0), (206, 0), (226, 0), (300, 0), (301, 0),
      (304, 0), (308, 0), (404, 0), (410, 0), (500, 0), (503, 0),
    ])
  func statuses(_ status: Int, _ kept: Int) async throws {
    let lab = CacheLab()
    lab.serve(.init(status: status, fields: [Self.fresh, "ETag: \"a\""]))
    for _ in 0..<2 { _ = try? await lab.get() }
    #expect(try lab.kept == kept)
    #expect(lab.requests.count == 2 - kept)
  }

  @Test("A failure that the source takes for data is not kept either")
  func acceptedFailure() async throws {
    let lab = CacheLab()
    lab.serve(.init(status: 404, fields: [Self.fresh]))
    let client = CacheClient(
      source: "src", inner: Accepting(lab: lab), store: CacheStore(path: lab.path),
      policy: CachePolicy(), metrics: lab.metrics, log: lab.log, redactor: Redactor())
    let answer = try await client.send(HTTPRequest("GET", parsed("http://server.example/a")))
    #expect(answer.status == 404)
    #expect(try lab.kept == 0)
  }

  private struct Accepting: HTTPClient {
    let lab: CacheLab

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      HTTPResponse(
        status: 404, headers: [HTTPField("Cache-Control", "max-age=60")], body: .empty,
        url: request.url, fetchedAt: .now)
    }
  }

  @Test(
    "An answer is kept when it says how long it is fresh or how to ask about it",
    arguments: [
      (["Cache-Control: max-age=60"], 1), (["Cache-Control: max-age=0"], 1), (["Expires: 0"], 1),
      (["ETag: \"a\""], 1), (["ETag: W/\"a\""], 1), (["Last-Modified: @-60"], 1), ([], 0),
      (["ETag:"], 0), (["Date: @+0"], 0), (["Cache-Control: public"], 0),
      (["Cache-Control: s-maxage=60"], 0), (["Cache-Control: stale-if-error=60"], 0),
      (["Pragma: no-cache", "Cache-Control: max-age=60"], 1),
      (["Cache-Control: no-cache, max-age=60"], 1), (["Cache-Control: private, max-age=60"], 1),
    ] as [([String], Int)])
  func keptByItsFields(_ fields: [String], _ kept: Int) async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: fields))
    _ = try await lab.get()
    #expect(try lab.kept == kept)
  }

  @Test(
    "What says no-store is not kept, whatever else it or the source says",
    arguments: [
      (["Cache-Control: no-store"], 0), (["Cache-Control: no-store, max-age=60"], 0),
      (["Cache-Control: max-age=60", "Cache-Control: No-Store"], 0),
      (["Cache-Control: no-store=\"x\", max-age=60"], 0),
      // A cache that knows the status may keep what says so.
      (["Cache-Control: no-store, must-understand, max-age=60"], 1),
      (["Cache-Control: x=\"no-store\", max-age=60"], 1),
    ])
  func noStore(_ fields: [String], _ kept: Int) async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: fields + ["ETag: \"a\""]))
    _ = try await lab.send(policy: { ($0.ttl, $0.staleIfError) = (.seconds(60), .seconds(60)) })
    #expect(try lab.kept == kept)
  }

  @Test("The answer to a request with no-store is not kept")
  func noStoreRequest() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    _ = try await lab.get("/a", "Cache-Control: no-store")
    #expect(try lab.kept == 0)
  }

  @Test("An answer that may not be kept takes the place of the one that was")
  func unkeptReplaces() async throws {
    for fields in [["Cache-Control: no-store"], ["Vary: *", Self.fresh], []] {
      let lab = CacheLab()
      lab.serve(Self.fresh)
      #expect(try await lab.get() == "1")
      lab.serve(.init(fields: fields))
      #expect(try await lab.get(policy: { $0.mode = .refresh }) == "2")
      #expect(try lab.kept == 0, "\(fields)")
      #expect(try await lab.get() == "3")
    }
  }

  @Test("A failure leaves what was kept")
  func failureLeaves() async throws {
    let lab = CacheLab()
    lab.serve("Cache-Control: max-age=0", "ETag: \"a\"")
    _ = try await lab.get()
    for status in [404, 500, 0] {
      lab.serve(.init(status: status))
      await #expect(throws: AggregateError.self) { try await lab.get() }
      #expect(try lab.kept == 1, "\(status)")
    }
  }

  @Test(
    "Answers to other methods, to ranges and to conditions of the source's own are not kept",
    arguments: [
      ("POST", ""), ("PUT", ""), ("HEAD", ""), ("OPTIONS", ""), ("GET", "Range: bytes=0-1"),
      ("GET", "If-None-Match: \"x\""), ("GET", "If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT"),
      ("GET", "If-Range: \"x\""),
    ])
  func otherRequests(_ method: String, _ header: String) async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh, "ETag: \"a\"")
    for _ in 0..<2 {
      _ =
        header.isEmpty
        ? try await lab.send("/a", method: method)
        : try await lab.send("/a", method: method, header)
    }
    #expect(lab.requests.count == 2)
    #expect(try lab.kept == 0)
  }

  @Test("A private cache keeps answers to requests with credentials, each for its user alone")
  func authorization() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    #expect(try await lab.get("/a", "Authorization: Bearer a") == "1")
    #expect(try await lab.get("/a", "authorization: Bearer a") == "1")
    #expect(try await lab.get("/a", "Authorization: Bearer b") == "2")
    #expect(try await lab.get("/a") == "3")
    #expect(try await lab.get("/a", "Cookie: session=1") == "4")
    let credential = Credential.query(name: "key", value: "k")
    #expect(try await lab.send(credentials: [credential]).body.text == "5")
    #expect(try await lab.send(credentials: [credential]).body.text == "5")
    #expect(try await lab.send(identity: "ann").body.text == "6")
  }

  @Test("Fields of the connection, of the transfer and of the user are not kept, all others are")
  func keptFields() async throws {
    let lab = CacheLab()
    lab.serve(
      Self.fresh, "Connection: close, X-Hop", "Keep-Alive: 5", "X-Hop: 1", "X-Other: 2",
      "Set-Cookie: session=secret", "Set-Cookie: b=2", "Proxy-Authenticate: Basic",
      "Proxy-Authentication-Info: x", "Trailer: x", "Upgrade: h2c", "Content-Encoding: gzip",
      "Content-Length: 999", "Content-Type: text/plain", "Link: <a>; rel=next")
    #expect(try await lab.send().header("Set-Cookie") == "session=secret, b=2")
    let kept = try await lab.send()
    #expect(lab.requests.count == 1)
    #expect(
      kept.headers.map(\.name) == ["Cache-Control", "X-Other", "Content-Type", "Link", "Age"])
  }

  @Test("Fields that no-cache names are not used unasked, and not kept")
  func namedFields() async throws {
    let lab = CacheLab()
    lab.serve("Cache-Control: max-age=60, no-cache=\"X-Count, x-b\"", "X-Count: 1", "X-C: 3")
    #expect(try await lab.send().header("X-Count") == "1")
    let kept = try await lab.send()
    #expect(lab.requests.count == 1)
    #expect(kept.header("X-Count") == nil)
    #expect(kept.header("X-C") == "3")
  }

  @Test("The answer of another address is kept only with a time of the source's own")
  func redirected() async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: [Self.fresh], url: WebURL("http://server.example/b")))
    _ = try await lab.get()
    #expect(try lab.kept == 0)
    _ = try await lab.get(policy: { $0.ttl = .seconds(60) })
    #expect(try lab.kept == 1)
  }

  @Test(
    "An answer that ends too early is not kept",
    arguments: ["length", "length, politely", "chunks", "gzip", "empty"])
  func partial(_ kind: String) async throws {
    let folder = TemporaryFolder()
    let body = Array(String(repeating: "{\"a\":1}", count: 100).utf8)
    let server = try FixtureServer.start { _ in
      var answer = FixtureServer.Response(200, body, headers: [HTTPField("ETag", "\"a\"")])
      answer.headers.append(HTTPField("Cache-Control", "max-age=60"))
      switch kind {
      case "chunks": return answer.chunked(50).cut(after: 200)
      case "gzip":
        // A stream that was cut, of the length that is told.
        answer.headers.append(HTTPField("Content-Encoding", "gzip"))
        answer.body = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 171, 86]
        return answer
      case "empty": return answer.cut(after: 0)
      default: return answer.cut(after: 300, resets: kind == "length")
      }
    }
    let fixture = TransportFixture { $0.attempts = 1 }
    let store = CacheStore(path: folder.file("cache.db"))
    let client = CacheClient(
      source: "src", inner: fixture.transport, store: store, policy: CachePolicy(),
      metrics: fixture.transport.metrics, log: fixture.transport.log, redactor: fixture.redactor)
    await #expect(throws: AggregateError.self) {
      try await client.send(HTTPRequest("GET", parsed(server.baseURL)))
    }
    #expect(try store.statistics().entries == 0)
  }
}
