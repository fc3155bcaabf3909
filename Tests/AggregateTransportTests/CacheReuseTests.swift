import AggregateCore
import Testing

@testable import AggregateTransport

/// Which request an answer is used for, and what makes it obsolete: RFC 9111, sections 4, 4.1, 4.4
/// and 5.2.1; the modes of a run.
struct CacheReuseTests {
  private static let fresh = "Cache-Control: max-age=600"

  // MARK: - Vary

  @Test(
    "An answer is used for requests with the same values of the fields that it varies with",
    arguments: [
      ("X-A", ["X-A: 1"], ["x-a:  1 "], true), ("x-a", ["X-A: 1"], ["X-A: 2"], false),
      ("X-A", ["X-A: en"], ["X-A: EN"], false), ("X-A", ["X-A: 1"], [], false),
      ("X-A", [], ["X-A: 1"], false), ("X-A", [], ["X-A:"], false), ("X-A", [], [], true),
      ("X-A", ["X-B: 1"], ["X-B: 2"], true),
      ("X-A, X-B", ["X-A: 1", "X-B: 2"], ["X-B: 2", "X-A: 1"], true),
      ("X-A ,,\tx-b", ["X-A: 1", "X-B: 2"], ["X-A: 1", "X-B: 3"], false),
      ("X-A, X-B", ["X-A: 1", "X-B: 2"], ["X-A: 2", "X-B: 1"], false),
      ("X-A, X-B", ["X-A: 12", "X-B: "], ["X-A: 1", "X-B: 2"], false),
      ("Accept", ["Accept: a/b,c/d"], ["Accept: a/b ,  c/d"], true),
      ("Accept", ["Accept: a/b", "Accept: c/d"], ["Accept: a/b, c/d"], true),
      ("Accept", ["Accept: a/b, c/d"], ["Accept: c/d, a/b"], false),
      ("X-A", ["X-A: \"a, b\""], ["X-A: \"a,b\""], false),
      ("*", ["X-A: 1"], ["X-A: 1"], false), ("X-A, *", ["X-A: 1"], ["X-A: 1"], false),
      ("Accept-Encoding, User-Agent", [], [], true),
    ])
  func vary(_ vary: String, _ first: [String], _ second: [String], _ isUsed: Bool) async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh, "Vary: \(vary)")
    #expect(try await send(lab, first) == "1")
    #expect(try await send(lab, second) == (isUsed ? "1" : "2"))
  }

  private func send(_ lab: CacheLab, _ headers: [String]) async throws -> String {
    switch headers.count {
    case 0: try await lab.get()
    case 1: try await lab.get("/a", headers[0])
    default: try await lab.get("/a", headers[0], headers[1])
    }
  }

  @Test("Variants are kept side by side, and each is asked about by its own validator")
  func variants() async throws {
    let lab = CacheLab()
    lab.serve { request in
      let language = request.headers.first { $0.name == "X-Lang" }?.value ?? ""
      let isKnown = request.headers.contains(HTTPField("If-None-Match", "\"\(language)\""))
      return .init(
        status: isKnown ? 304 : 200,
        fields: ["ETag: \"\(language)\"", "Vary: X-Lang", "Cache-Control: max-age=60"],
        body: isKnown ? "" : language)
    }
    for _ in 0..<3 {
      for language in ["en", "fr"] {
        #expect(try await lab.get("/a", "X-Lang: \(language)") == language)
      }
      lab.wait(61)
    }
    #expect(try lab.kept == 2)
    #expect(lab.requests.count == 6)
    #expect(lab.metrics.figures.cacheRevalidated == 4)
  }

  @Test("Of several answers that match the latest is used")
  func latest() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh, "Vary: X-A")
    _ = try await lab.get()
    lab.serve(Self.fresh, "Vary: X-B")
    lab.wait(1)
    #expect(try await lab.get(policy: { $0.mode = .refresh }) == "2")
    #expect(try await lab.get() == "2")
    #expect(try lab.kept == 2)
  }

  // MARK: - The address

  @Test("Another query, path, host or port is another answer")
  func addresses() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    let base = "http://server.example"
    let urls = [
      "\(base)/a", "\(base)/a?q=1", "\(base)/a?q=2", "\(base)/A", "\(base):81/a",
      "https://server.example/a", "http://other.example/a",
    ]
    for round in 0..<2 {
      for (index, url) in urls.enumerated() {
        #expect(try await lab.get(url) == "\(index + 1)", "\(url), round \(round)")
      }
    }
  }

  // MARK: - What a request says

  @Test(
    "A request can ask for more than freshness, or less",
    arguments: [
      ("Cache-Control: no-cache", 0, false), ("Pragma: no-cache", 0, false),
      ("Cache-Control: max-age=0", 10, false), ("Cache-Control: max-age=5", 10, false),
      ("Cache-Control: max-age=20", 10, true), ("Cache-Control: min-fresh=595", 10, false),
      ("Cache-Control: min-fresh=5", 10, true), ("Cache-Control: max-stale", 10_000, true),
      ("Cache-Control: max-stale=60", 640, true), ("Cache-Control: max-stale=60", 670, false),
      ("Cache-Control: max-stale=0", 601, false), ("Cache-Control: max-age=x", 10, false),
      ("Cache-Control: unknown", 10, true), ("Cache-Control: only-if-cached", 10, true),
    ] as [(String, Double, Bool)])
  func directives(_ header: String, _ age: Double, _ isUsed: Bool) async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    _ = try await lab.get()
    lab.wait(age)
    #expect(try await lab.get("/a", header) == (isUsed ? "1" : "2"))
  }

  @Test("Pragma counts only where there is no Cache-Control")
  func pragma() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    _ = try await lab.get()
    #expect(try await lab.get("/a", "Pragma: no-cache", "Cache-Control: max-age=60") == "1")
  }

  @Test("only-if-cached asks the server for nothing")
  func onlyIfCached() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    let error = await #expect(throws: AggregateError.self) {
      try await lab.get("/a", "Cache-Control: only-if-cached")
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("not in the cache") == true)
    #expect(lab.requests.isEmpty)
  }

  @Test("max-stale does not reach what must not be used stale")
  func maxStaleForbidden() async throws {
    for directive in ["must-revalidate", "no-cache"] {
      let lab = CacheLab()
      lab.serve("Cache-Control: max-age=10, \(directive)")
      _ = try await lab.get()
      lab.wait(11)
      #expect(try await lab.get("/a", "Cache-Control: max-stale") == "2")
    }
  }

  // MARK: - Invalidation

  @Test(
    "A success of an unsafe method makes what is kept of its address obsolete, and nothing else",
    arguments: [
      ("POST", 200, 1), ("PUT", 201, 1), ("PATCH", 204, 1), ("DELETE", 202, 1), ("POST", 303, 1),
      ("BREW", 200, 1), ("POST", 400, 2), ("POST", 503, 2), ("POST", 0, 2), ("HEAD", 200, 2),
      ("OPTIONS", 200, 2),
    ])
  func unsafeMethods(_ method: String, _ status: Int, _ kept: Int) async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    for path in ["/a", "/b"] { _ = try await lab.get(path) }
    lab.serve(.init(status: status, body: ""))
    _ = try? await lab.send("/a", method: method)
    #expect(try lab.kept == kept)
    lab.serve(Self.fresh)
    #expect(try await lab.get("/b") == "2")
  }

  @Test("It does so for all users and variants")
  func unsafeForAll() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh, "Vary: X-A")
    for value in ["1", "2"] {
      _ = try await lab.get("/a", "X-A: \(value)")
      _ = try await lab.get("/a", "Authorization: \(value)")
    }
    #expect(try lab.kept == 4)
    _ = try await lab.send("/a", method: "DELETE")
    #expect(try lab.kept == 0)
  }

  @Test(
    "Location and Content-Location of the same origin become obsolete, too",
    arguments: [
      ("Location: /b", 0), ("Content-Location: b", 0), ("Location: http://server.example/b", 0),
      ("Location: http://server.example:81/b", 1), ("Content-Location: http://other.example/b", 1),
      ("Location: https://server.example/b", 1), ("Location: ::", 1), ("X-Location: /b", 1),
    ])
  func locations(_ field: String, _ kept: Int) async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    let place = field.split(separator: " ").last.map(String.init) ?? ""
    let url = place.hasPrefix("http") ? place : "http://server.example/b"
    _ = try await lab.get(url)
    lab.serve(.init(status: 201, fields: [field], body: ""))
    _ = try await lab.send("/a", method: "POST")
    #expect(try lab.kept == kept)
  }

  @Test("What is still to be written becomes obsolete as well")
  func unsafeBehindWriting() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh)
    let store = CacheStore(path: lab.path)
    let request = HTTPRequest("GET", try parsed("http://server.example/a"))
    let key = CacheKey(request, identity: .init(""))
    try store.store(
      CacheEntry(
        id: 0, vary: "", status: 200, headers: [], body: ByteBuffer("x"),
        fetchedAt: .now, freshUntil: .now, usedAt: .now), key: key)
    try store.invalidate(target: CacheKey.target(of: request.url))
    #expect(try store.newest(key) { _ in true } == nil)
  }

  // MARK: - Modes

  @Test("--refresh asks without a condition and keeps the answer, fresh or not")
  func refresh() async throws {
    let lab = CacheLab()
    lab.serve(Self.fresh, "ETag: \"a\"")
    _ = try await lab.get()
    #expect(try await lab.get(policy: { $0.mode = .refresh }) == "2")
    #expect(lab.requests.last?.headers.isEmpty == true)
    #expect(try await lab.get() == "2")
  }

  @Test("--offline uses what is kept, fresh or not, and asks for nothing")
  func offline() async throws {
    for directives in ["max-age=60", "no-cache, max-age=60", "must-revalidate, max-age=0"] {
      let lab = CacheLab()
      lab.serve("Cache-Control: \(directives)")
      _ = try await lab.get()
      lab.wait(1e6)
      #expect(try await lab.get(policy: { $0.mode = .offline }) == "1", "\(directives)")
      for method in ["GET", "POST"] {
        let error = await #expect(throws: AggregateError.self) {
          try await lab.send("/b", method: method, policy: { $0.mode = .offline })
        }
        #expect(error?.message == "\(method) http://server.example/b is not in the cache")
      }
      #expect(lab.requests.count == 1)
    }
  }
}
