import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite struct RecordingTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.file("run.har") }

  /// Sends the requests over the network, then over what was recorded; gives both lists of bodies.
  private func roundTrip(
    _ requests: [HTTPRequest], secrets: [String] = []
  ) async throws -> (live: [ByteBuffer], replayed: [ByteBuffer], har: String) {
    let redactor = Redactor()
    secrets.forEach(redactor.register)
    let recorder = Recorder(redactor: redactor, version: "1")
    let live = TransportFixture(wire: recorder.recording(CurlEngine(userAgent: "a")))
    var bodies: [ByteBuffer] = []
    for request in requests { bodies.append(try await live.transport.send(request).body) }
    try recorder.write(to: path)
    let replay = TransportFixture(
      wire: try ReplayWire(path: path, redactor: redactor), waits: false)
    var again: [ByteBuffer] = []
    for request in requests { again.append(try await replay.transport.send(request).body) }
    return (bodies, again, try String(contentsOfFile: path, encoding: .utf8))
  }

  @Test func whatWasRecordedReplays() async throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 0, 10, 0xE9]
    let server = try FixtureServer.start { request in
      switch request.path {
      case "/flaky" where request.index == 0: .json("{}", status: 503)
      case "/to": .redirect("/bytes")
      case "/bytes": .init(200, bytes)
      case "/reset" where request.index == 4: .json("[1]").cut(after: 1)
      default: .json("{\"n\":1e400,\"t\":\"é\\u0000 \(request.target) \(request.body.count)\"}")
      }
    }
    let base = server.baseURL
    let requests = [
      HTTPRequest("GET", try parsed("\(base)/flaky?a=1")),
      HTTPRequest("GET", try parsed("\(base)/to")),
      HTTPRequest("GET", try parsed("\(base)/reset")),
      HTTPRequest("POST", try parsed("\(base)/p"), body: [65]),
      HTTPRequest("POST", try parsed("\(base)/p"), body: [65, 66]),
    ]
    let (live, replayed, har) = try await roundTrip(requests)
    #expect(live.map { $0.copy(0..<$0.count) } == replayed.map { $0.copy(0..<$0.count) })
    #expect(live[1].copy(0..<live[1].count) == bytes)
    let log = try #require(try JSONDocument(har).root["log"])
    #expect(log["version"]?.string == "1.2")
    #expect(log["creator"]?["name"]?.string == "aggregate")
    #expect(log["entries"]?.count == server.requests.count)
    for entry in try #require(log["entries"]).elements {
      for part in ["startedDateTime", "time", "request", "response", "cache", "timings"] {
        #expect(entry[part] != nil, "\(part)")
      }
    }
  }

  @Test func secretsAreNotRecorded() async throws {
    let server = try FixtureServer.start { request in
      .json(
        #"{"access_token" : "t0p", "refresh_token":"r\"x","got":"\#(request.query("k") ?? "")"}"#,
        headers: [HTTPField("Set-Cookie", "sid=planted")])
    }
    var request = HTTPRequest(
      "POST", try parsed("\(server.baseURL)/a?appid=from+env/x"),
      headers: [HTTPField("X", "from+env/x"), HTTPField("Authorization", "abc")],
      body: Array("secret=from%2Benv%2Fx".utf8))
    request.credentials = [
      .query(name: "k", value: "q-c4n4ry"), .header(name: "X-Api-Key", value: "abc"),
      .cookie(name: "c", value: "k-c4n4ry"),
    ]
    let (_, replayed, har) = try await roundTrip([request], secrets: ["from+env/x", "q-c4n4ry"])
    #expect(server.requests[0].header("X-Api-Key") == "abc")
    for secret in ["c4n4ry", "from+env", "from%2Benv", "abc", "planted", "t0p", #"r\"x"#] {
      #expect(!har.contains(secret), "\(secret)")
    }
    #expect(replayed[0].text.contains("***"))
  }

  @Test func anotherSecretReplaysTheSameRecording() async throws {
    let har = Self.har([("GET", "http://a.invalid/x?key=***&b=1", "[1]", 200)])
    let redactor = Redactor()
    let replay = TransportFixture(
      wire: try ReplayWire(ByteBuffer(har), name: "h", redactor: redactor))
    #expect(try await replay.get("http://a.invalid/x?key=other&b=1").body.text == "[1]")
    #expect(try await replay.failure("http://a.invalid/x?key=other&b=2") != nil)
    let request = HTTPRequest(
      "GET", try parsed("http://a.invalid/x?b=1"), credentials: [.query(name: "key", value: "abcd")]
    )
    #expect(try await replay.transport.send(request).status == 200)
  }

  @Test func entriesAnswerInOrderAndTheLastRepeats() async throws {
    let har = Self.har([
      ("GET", "http://a.invalid/x", "1", 200), ("GET", "http://a.invalid/y", "0", 200),
      ("GET", "http://a.invalid/x", "{}", 503), ("GET", "http://a.invalid/x", "2", 200),
    ])
    let wire = try ReplayWire(ByteBuffer(har), name: "h", redactor: Redactor())
    let replay = TransportFixture(wire: wire, waits: false)
    var bodies: [String] = []
    for _ in 0..<4 { bodies.append(try await replay.get("http://a.invalid/x").body.text) }
    #expect(bodies == ["1", "2", "2", "2"])
  }

  @Test func browserRecordingReplays() async throws {
    let har = """
      {"log":{"version":"1.2","pages":[{}],"entries":[
        {"request":{"method":"GET","url":"data:image/png;base64,AA"},"response":{"status":200}},
        {"request":{"method":"GET","url":"https://a.invalid/p#top","httpVersion":"h2","headers":[]},
         "startedDateTime":"2024-01-01T01:00:00.500+01:00","_resourceType":"fetch",
         "response":{"status":200,"headers":[{"name":":status","value":"200"},
           {"name":"content-encoding","value":"br"},{"name":"content-length","value":"3"}],
           "content":{"size":2,"mimeType":"application/json","text":"W10=","encoding":"base64"}}},
        {"request":{"method":"GET","url":"https://a.invalid/q"},"response":{"status":0}}]}}
      """
    let wire = try ReplayWire(ByteBuffer(har), name: "h.har", redactor: Redactor())
    let replay = TransportFixture(wire: wire, waits: false)
    let answer = try await replay.get("https://a.invalid/p")
    #expect(answer.body.text == "[]")
    #expect(answer.headers == [HTTPField("Content-Type", "application/json")])
    #expect(answer.fetchedAt.iso8601 == "2024-01-01T00:00:00.500Z")
    let error = try await replay.failure("https://a.invalid/q")
    #expect(error?.code == .rejected)
    #expect(error?.message.contains("h.har has no answer") == true)
    #expect(error?.message.contains("https://a.invalid/q") == true)
  }

  @Test(arguments: ["not json", "{}", "[]", #"{"log":{"entries":1}}"#])
  func whatIsNoRecordingIsRefused(_ text: String) {
    let error = #expect(throws: AggregateError.self) {
      try ReplayWire(ByteBuffer(text), name: "bad.har", redactor: Redactor())
    }
    #expect(error?.message.hasPrefix("bad.har is not a HAR recording") == true)
  }

  @Test func missingRecordingIsNamed() {
    let error = #expect(throws: AggregateError.self) {
      try ReplayWire(path: "/nowhere.har", redactor: Redactor())
    }
    #expect(error?.message.hasPrefix("/nowhere.har could not be read") == true)
  }

  @Test func maskMatchesAnything() {
    #expect(ReplayWire.matches(recorded: "a***b***c", "aXbYc"))
    #expect(ReplayWire.matches(recorded: "***", ""))
    #expect(ReplayWire.matches(recorded: "a***", "a"))
    #expect(!ReplayWire.matches(recorded: "a***a", "a"))
    #expect(!ReplayWire.matches(recorded: "a***b", "aXc"))
    #expect(!ReplayWire.matches(recorded: "ab", "a"))
  }

  private static func har(_ answers: [(String, String, String, Int)]) -> String {
    let entries = answers.map { method, url, body, status in
      """
      {"startedDateTime":"2024-01-01T00:00:00.000Z","time":1,
       "request":{"method":"\(method)","url":"\(url)","headers":[]},
       "response":{"status":\(status),"headers":[],
                   "content":{"mimeType":"application/json","text":\(EscapedText.quoted(body))}}}
      """
    }
    return #"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#
  }
}
