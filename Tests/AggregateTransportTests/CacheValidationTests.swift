import AggregateCore
import Testing

@testable import AggregateTransport

/// How a stale answer is asked about, and what a 304 does to it: RFC 9111, sections 3.2 and 4.3.
struct CacheValidationTests {
  private static let modified = "Mon, 01 Jan 2024 00:00:00 GMT"

  private func condition(_ name: String, _ request: HTTPRequest?) -> String? {
    request?.headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  @Test(
    "The validators that an answer has are sent, as they are",
    arguments: [
      (["ETag: \"a\""], "\"a\"", nil), (["ETag: W/\"a,b\""], "W/\"a,b\"", nil),
      (["etag: unquoted"], "unquoted", nil), (["Last-Modified: \(modified)"], nil, modified),
      (["ETag: \"a\"", "Last-Modified: \(modified)"], "\"a\"", modified),
      (["Cache-Control: max-age=0"], nil, nil),
    ] as [([String], String?, String?)])
  func conditions(_ fields: [String], _ tag: String?, _ date: String?) async throws {
    let lab = CacheLab()
    lab.serve(.init(fields: fields))
    for _ in 0..<2 { _ = try await lab.get() }
    #expect(condition("If-None-Match", lab.requests.first) == nil)
    #expect(condition("If-Modified-Since", lab.requests.first) == nil)
    #expect(condition("If-None-Match", lab.requests.last) == tag)
    #expect(condition("If-Modified-Since", lab.requests.last) == date)
  }

  @Test("An answer that is confirmed is used, and no judge of bodies is asked")
  func confirmed() async throws {
    let lab = CacheLab()
    lab.serve(["ETag: \"a\""], confirming: "\"a\"", with: ["ETag: \"a\""])
    for _ in 0..<3 { #expect(try await lab.get() == "1") }
    #expect(lab.requests.count == 3)
    #expect(lab.metrics.figures.cacheRevalidated == 2)
    #expect(lab.metrics.figures.cacheMisses == 1)
  }

  @Test("An answer that is not confirmed takes the place of the old one")
  func replaced() async throws {
    let lab = CacheLab()
    lab.serve("ETag: \"a\"")
    for number in 1...3 { #expect(try await lab.get() == "\(number)") }
    #expect(try lab.kept == 1)
  }

  @Test("A confirmation makes an answer fresh anew, by its own fields")
  func freshAnew() async throws {
    let lab = CacheLab()
    lab.serve(
      ["ETag: \"a\"", "Cache-Control: max-age=60", "Age: 30", "Date: @+0"], confirming: "\"a\"",
      with: ["ETag: \"a\"", "Cache-Control: max-age=100", "Date: @+0"])
    _ = try await lab.get()
    lab.wait(31)
    for seconds in [0.0, 99] {
      lab.wait(seconds)
      #expect(try await lab.get() == "1")
      #expect(lab.requests.count == 2)
    }
    lab.wait(2)
    #expect(try await lab.get() == "1")
    #expect(lab.requests.count == 3)
  }

  @Test("A confirmation that says nothing of time makes fresh for as long as before, from now on")
  func freshAsBefore() async throws {
    let lab = CacheLab()
    lab.serve(
      ["ETag: \"a\"", "Cache-Control: max-age=60", "Age: 30", "Date: @+0"], confirming: "\"a\"",
      with: [])
    _ = try await lab.get()
    lab.wait(1000)
    #expect(try await lab.get() == "1")
    // What the old answer says of its age and its date is over.
    lab.wait(59)
    #expect(try await lab.send().header("Age") == "59")
    #expect(lab.requests.count == 2)
  }

  @Test("A confirmation replaces the fields that it has, and no others")
  func fields() async throws {
    let lab = CacheLab()
    lab.serve(
      [
        "ETag: \"a\"", "X-Kept: 1", "x-changed: 1", "X-Changed: 2", "Content-Type: text/plain",
        "Cache-Control: max-age=0",
      ], confirming: "\"a\"",
      with: [
        "ETag: \"a\"", "X-CHANGED: 3", "X-New: 4", "Content-Length: 0", "Content-Encoding: gzip",
        "Transfer-Encoding: chunked", "Set-Cookie: a=b", "Connection: X-Hop", "X-Hop: 5",
        "Cache-Control: max-age=60",
      ])
    _ = try await lab.get()
    // As it is answered at once, and as it is kept.
    for _ in 0..<2 {
      let answer = try await lab.send()
      #expect(answer.status == 200)
      #expect(answer.body.text == "1")
      #expect(answer.header("X-Kept") == "1")
      #expect(answer.header("X-Changed") == "3")
      #expect(answer.header("X-New") == "4")
      #expect(answer.header("Content-Type") == "text/plain")
      for name in [
        "Content-Length", "Content-Encoding", "Transfer-Encoding", "Set-Cookie", "X-Hop",
      ] {
        #expect(answer.header(name) == nil, "\(name)")
      }
    }
    #expect(lab.requests.count == 2)
  }

  @Test(
    "Only what a 304 is about is confirmed by it; else the answer is asked for without a condition",
    arguments: [
      (["ETag: \"a\""], ["ETag: \"a\""], true), (["ETag: \"a\""], ["ETag: W/\"a\""], true),
      (["ETag: W/\"a\""], ["ETag: \"a\""], true), (["ETag: \"a\""], [], true),
      (["ETag: \"a\""], ["ETag: \"b\""], false), (["ETag: \"a\""], ["ETag: \"A\""], false),
      (
        ["ETag: \"a\"", "Last-Modified: \(modified)"],
        ["ETag: \"b\"", "Last-Modified: \(modified)"],
        false
      ),
      (["ETag: \"a\"", "Last-Modified: \(modified)"], ["Last-Modified: \(modified)"], true),
      (["Last-Modified: \(modified)"], ["Last-Modified: \(modified)"], true),
      (["Last-Modified: \(modified)"], ["Last-Modified: @+60"], false),
      (["Last-Modified: \(modified)"], ["ETag: \"x\"", "Last-Modified: \(modified)"], true),
      (["Last-Modified: \(modified)"], ["ETag: \"x\""], false),
      (["Last-Modified: \(modified)"], [], true),
    ])
  func selection(_ full: [String], _ told: [String], _ isConfirmed: Bool) async throws {
    let lab = CacheLab()
    lab.serve { request in
      request.headers.contains { $0.name.hasPrefix("If-") }
        ? CacheLab.Answer(status: 304, fields: told, body: "") : CacheLab.Answer(fields: full)
    }
    #expect(try await lab.get() == "1")
    #expect(try await lab.get() == (isConfirmed ? "1" : "2"))
    #expect(lab.requests.count == (isConfirmed ? 2 : 3))
    #expect(lab.requests.last?.headers.contains { $0.name.hasPrefix("If-") } == isConfirmed)
  }

  @Test("A 304 that nobody asked for confirms nothing")
  func unasked() async throws {
    let lab = CacheLab()
    lab.serve("Cache-Control: max-age=0")
    #expect(try await lab.get() == "1")
    lab.serve(.init(status: 304, body: ""))
    #expect(try await lab.send().status == 304)
    #expect(try await lab.send(policy: { $0.mode = .refresh }).status == 304)
    #expect(lab.metrics.figures.cacheRevalidated == 0)
  }

  @Test("A confirmation that forbids to keep the answer is obeyed")
  func forbidding() async throws {
    for fields in [["Cache-Control: no-store"], ["Vary: *"]] {
      let lab = CacheLab()
      lab.serve(["ETag: \"a\""], confirming: "\"a\"", with: fields)
      for _ in 0..<2 { #expect(try await lab.get() == "1") }
      #expect(try lab.kept == 0, "\(fields)")
    }
  }

  @Test("A confirmation with another Vary makes the answer one of another variant")
  func otherVary() async throws {
    let lab = CacheLab()
    lab.serve(
      ["ETag: \"a\"", "Vary: X-A"], confirming: "\"a\"",
      with: ["Vary: X-B", "Cache-Control: max-age=60"])
    for _ in 0..<2 { #expect(try await lab.get("/a", "X-A: 1", "X-B: 1") == "1") }
    #expect(try await lab.get("/a", "X-B: 1") == "1")
    #expect(lab.requests.count == 2)
    #expect(try await lab.get("/a", "X-B: 2") == "2")
    #expect(try lab.kept == 2)
  }

  @Test("A confirmation is not taken for what another process has put there meanwhile")
  func replacedMeanwhile() async throws {
    let lab = CacheLab()
    lab.serve("ETag: \"a\"")
    #expect(try await lab.get() == "1")
    let key = CacheKey(
      HTTPRequest("GET", try parsed("http://server.example/a")), identity: .init(""))
    let mine = CacheStore(path: lab.path)
    let old = try #require(try mine.newest(key) { _ in true })
    // The other one clears the cache and keeps the new answer, which gets the number of the old.
    let others = CacheStore(path: lab.path)
    #expect(try others.clear() == 1)
    var new = old
    new.headers = [HTTPField("ETag", "\"b\"")]
    new.body = ByteBuffer("new")
    new.fetchedAt = old.fetchedAt.later(by: 1)
    try others.store(new, key: key)
    try others.flush()
    try mine.renew(old.confirmed(by: [], at: new.fetchedAt), key: key, insteadOf: old)
    try mine.remove(old, key: key)
    try mine.flush()
    let found = try #require(try CacheStore(path: lab.path).newest(key) { _ in true })
    #expect(found.id == old.id)
    #expect(found.headers == new.headers)
    #expect(found.body.text == "new")
  }
}
