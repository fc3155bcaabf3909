import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateTransport

/// Answers as servers really write them, right and wrong, over real sockets.
@Suite struct AnswerFormTests {
  private static let ok = "HTTP/1.1 200 OK\r\n"

  /// The answer to the bytes, with the requests that it took.
  private func answer(
    _ text: String, closes: Bool = false
  ) async throws -> (answer: HTTPResponse?, error: AggregateError?, fixture: TransportFixture) {
    let server = try FixtureServer.start { _ in .raw(text, closes: closes) }
    let fixture = TransportFixture { $0.attempts = 2 }
    do {
      return (try await fixture.get(server.baseURL), nil, fixture)
    } catch { return (nil, error as? AggregateError, fixture) }
  }

  @Test(arguments: [
    // Until the connection ends, in both versions.
    "HTTP/1.0 200 OK\r\n\r\n[1]", "HTTP/1.1 200 OK\r\n\r\n[1]",
    "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\n[1]", "HTTP/1.1 200\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 200 OK\nContent-Length: 3\n\n[1]",
    "HTTP/1.1 200 OK\r\ncontent-length:3\r\n\r\n[1]",
    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\n\r\n[1]",
    // Answers that come before the one that counts.
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
    "HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 E\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n[1]",
    // Chunks: with extensions, in capitals, with zeros, with trailers.
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=\"b\"\r\n[\r\n02\r\n1]\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\n[1]\r\n000\r\nX-Sum: 9\r\nLink: <x>\r\n\r\n",
    // Chunks count more than a length.
    "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n0\r\n\r\n",
  ])
  func bodyIsRead(_ text: String) async throws {
    let result = try await answer(text, closes: true)
    #expect(result.answer?.body.text == "[1]", "\(result.error?.message ?? "")")
    #expect(result.answer?.status == 200)
    #expect(result.answer?.header("Link") == nil)
    #expect(result.fixture.transport.metrics.figures.requests == 1)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1]", "the body ends too early"),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n[1]", "the body ends too early"),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n", "the body ends too early"
    ),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n[1]\r\n", "chunk"),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 9\r\n\r\n[1]", "two lengths, 3 and 9"
    ),
    ("HTTP/1.1 200 OK\r\nContent-Length: 3, 2\r\n\r\n[1]", "two lengths, 3 and 2"),
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Length: 3\r\n\r\n[1]", "two lengths, 9 and 3"
    ),
    ("", "the connection was closed without an answer"),
    ("HTTP/1.1 200 OK\r\nContent-Le", "the answer ends within its header"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "the answer ends within its header"),
    ("HTTP/1.1 200 OK\r\n", "the answer ends within its header"),
    ("HTTP/1.1 100 Continue\r\n\r\n", ""),
  ])
  func uncertainBodyIsAskedForAgain(_ text: String, _ problem: String) async throws {
    let result = try await answer(text, closes: true)
    #expect(result.error?.code == .unavailable)
    #expect(result.error?.message.contains(problem) == true, "\(result.error?.message ?? "")")
    #expect(result.error?.message.hasSuffix("(2 tries)") == true)
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "<html>no header</html>", "HTTP/1.1 abc OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n[1]",
    "HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n[1]",
  ])
  func whatIsNotHTTPSaysSo(_ text: String) async throws {
    let result = try await answer(text, closes: true)
    #expect(result.error?.code == .unavailable)
    #expect(result.error?.message.contains("the answer is not HTTP") == true, "\(result)")
    #expect(result.fixture.transport.metrics.figures.requests == 1)
  }

  @Test func lengthThatIsTooShortDoesNotSpoilTheNextAnswer() async throws {
    // What is over would be the beginning of the next answer on the connection.
    let server = try FixtureServer.start { request in
      .raw("\(Self.ok)Content-Length: 3\r\n\r\n[\(request.index)]HTTP/1.1 200 OK\r\n\r\n[9]")
    }
    let fixture = TransportFixture { $0.attempts = 1 }
    for index in 0..<4 {
      #expect(try await fixture.get(server.baseURL).body.text == "[\(index)]")
    }
  }

  @Test func answerThatNobodyAskedForIsNotTaken() async throws {
    let server = try FixtureServer.start { request in
      .raw(
        "\(Self.ok)Content-Length: 3\r\n\r\n[\(request.index)]"
          + "\(Self.ok)Content-Length: 3\r\n\r\n[9]")
    }
    let fixture = TransportFixture { $0.attempts = 1 }
    for index in 0..<4 {
      #expect(try await fixture.get(server.baseURL).body.text == "[\(index)]")
    }
  }

  // MARK: - Header fields

  @Test func valuesAreUnfoldedAndDecoded() async throws {
    let bytes =
      Array("\(Self.ok)X-Folded: one\r\n  two\r\n\tthree\r\nX-UTF8: Zürich\r\nX-Latin: Z".utf8)
      + [0xFC] + Array("rich\r\nX-Empty:\r\nx-twice: a\r\nX-Twice: b\r\n".utf8)
      + Array("X-Space : c\r\nContent-Length: 2\r\n\r\n[]".utf8)
    let server = try FixtureServer.start { _ in .raw(bytes, closes: true) }
    let answer = try await TransportFixture { $0.attempts = 1 }.get(server.baseURL)
    #expect(answer.header("X-Folded") == "one two three")
    #expect(answer.header("X-UTF8") == "Zürich")
    #expect(answer.header("X-Latin") == "Zürich")
    #expect(answer.header("X-Empty") == "")
    #expect(answer.header("X-Twice") == "a, b")
    #expect(answer.header("X-Space") == "c")
    #expect(answer.body.text == "[]")
  }

  @Test(arguments: [(1000, 20), (1, 90_000)])
  func largeHeaderIsRead(_ lines: Int, _ length: Int) async throws {
    let value = String(repeating: "v", count: length)
    let fields = (0..<lines).map { "X-\($0): \(value)\r\n" }.joined()
    let result = try await answer("\(Self.ok)\(fields)Content-Length: 2\r\n\r\n[]")
    #expect(result.answer?.header("X-\(lines - 1)") == value, "\(result.error?.message ?? "")")
  }

  @Test(arguments: [(10_000, 100), (1, 2_000_000), (100_000, 1)])
  func headerWithoutBoundIsRefusedAtOnce(_ lines: Int, _ length: Int) async throws {
    let value = String(repeating: "v", count: length)
    let fields = (0..<lines).map { "X-\($0): \(value)\r\n" }.joined()
    let result = try await answer("\(Self.ok)\(fields)Content-Length: 2\r\n\r\n[]", closes: true)
    #expect(result.error?.message.contains("header") == true, "\(result.error?.message ?? "")")
    #expect(result.fixture.transport.metrics.figures.requests == 1)
  }

  @Test func endlessHeaderEnds() async throws {
    let hints = String(repeating: "HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\n", count: 60_000)
    let result = try await answer(hints, closes: true)
    #expect(result.error?.message.contains("header") == true, "\(result.error?.message ?? "")")
  }

  @Test func versionIsKept() async throws {
    for version in ["HTTP/1.0", "HTTP/1.1"] {
      let server = try FixtureServer.start { _ in .raw("\(version) 200 OK\r\n\r\n", closes: true) }
      let engine = CurlEngine(userAgent: "aggregate/test")
      let answer = try await engine.exchange(WireRequest("GET", parsed(server.baseURL)))
      #expect(answer.version == version)
    }
  }
}
