import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

@testable import AggregateTransport

@Suite(.programs("python3")) struct BodyDecoderTests {
  private static let text = (0..<3000).map { "row \($0 % 97)\n" }.joined()
  private static let gzip = HTTPField("Content-Encoding", "gzip")

  /// `text`, by the encoders of the libraries at their highest levels.
  private static let brotli =
    "G9FQ+I3UWs3dG2qQN7k7OjbstuQuQIVe2mQHDxRbkyeR7wMWYIIZn5z/CDHlUpu2e+hCJBY1ths/ILGosd30AYlFje3m"
    + "D0gsamy3fEBiUWO79QMSixrbbT4gsaix3fYDEosa2+0+ILGc/u5FACM="
  private static let zstd =
    "KLUv/WDST6UDAKIGEA7g6aMJICillDKlFF7RuXd3d2dmZmZmVlVVVVVFRERERDQzMzMz8////9u2bdtt27YtSZIkeVY0"
    + "dxnKIECEMkhhqCC+3gHAk8o1IgjA8Pf///8zMQ6oloAiGFH0kkV4iMFCCB6EwEAAyvha9pKSaUsB"

  private static let known = Mutex<[String: (encoding: String, bytes: [UInt8])]>([:])

  /// A coding and bytes in it that say `text`; made once, for that takes another process.
  private static func packed(_ form: String) throws -> (encoding: String, bytes: [UInt8]) {
    try known.withLock { known in
      if let made = known[form] { return made }
      let made = try pack(form)
      known[form] = made
      return made
    }
  }

  private static func pack(_ form: String) throws -> (encoding: String, bytes: [UInt8]) {
    switch form {
    case "br": ("br", try #require(Base64.decode(brotli)))
    case "zstd": ("zstd", try #require(Base64.decode(zstd)))
    case "two frames":
      ("zstd", try #require(Base64.decode("KLUv/SAAAQAA").map { $0 + (Base64.decode(zstd) ?? []) }))
    case "gzip, gzip": ("gzip, gzip", try Packed.bytes("gzip", Packed.bytes("gzip", text)))
    case "deflate, gzip":
      ("Deflate , identity,x-gzip", try Packed.bytes("gzip", Packed.bytes("raw", text)))
    case "br, gzip": ("br, gzip", try Packed.bytes("gzip", try #require(Base64.decode(brotli))))
    case "gzip": ("gzip", try Packed.bytes(form, text))
    default: ("deflate", try Packed.bytes(form, text))
    }
  }

  private static func decode(
    _ bytes: [UInt8], _ encoding: String, by size: Int, limit: Int = 1_000_000
  ) throws -> String {
    let decoder = BodyDecoder(encoding: encoding, limit: limit)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      try piece.withUnsafeBytes { try decoder.append($0) }
    }
    #expect(decoder.received == bytes.count)
    return try decoder.finish().text
  }

  private static let forms = [
    "gzip", "zlib", "raw", "br", "zstd", "two frames", "gzip, gzip", "deflate, gzip", "br, gzip",
  ]

  @Test(arguments: forms, [1, 2, 3, 7, 1024, 4096])
  func pieceSizeDoesNotMatter(_ form: String, _ size: Int) throws {
    let (encoding, bytes) = try Self.packed(form)
    #expect(try Self.decode(bytes, encoding, by: size) == Self.text)
  }

  @Test(arguments: forms)
  func everyTruncationOfEachCodingIsNoticed(_ form: String) throws {
    let (encoding, bytes) = try Self.packed(form)
    // A frame that says nothing is complete without the next one.
    let first = form == "two frames" ? 10 : 1
    for count in first..<bytes.count {
      #expect(throws: BodyDecoder.Problem.malformed("the compressed body ends too early")) {
        try Self.decode(Array(bytes[..<count]), encoding, by: 4096)
      }
    }
  }

  @Test(arguments: ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
  func otherBytesAreMalformed(_ encoding: String) {
    // The first byte is one that each decoder may begin with.
    let bytes = [0x1F] + [UInt8](repeating: 0xFF, count: 100)
    #expect(throws: BodyDecoder.Problem.self) { try Self.decode(bytes, encoding, by: 7) }
  }

  @Test(arguments: ["", "identity", "none", "Identity, identity", "utf-8", "aws-chunked", " , "])
  func plainBodyIsTakenAsItIs(_ encoding: String) throws {
    #expect(try Self.decode(Array("[1]".utf8), encoding, by: 2) == "[1]")
  }

  @Test(arguments: ["compress", "rot13", "gzip, rot13", "gzip;q=1", "gzip,gzip,gzip,gzip,gzip"])
  func unknownCodingIsUnsupported(_ encoding: String) throws {
    let decoder = BodyDecoder(encoding: encoding, limit: 100)
    let problem = #expect(throws: BodyDecoder.Problem.self) {
      try [UInt8](repeating: 0x1F, count: 4).withUnsafeBytes { try decoder.append($0) }
    }
    guard case .unsupported = problem else { return #expect(Bool(false), "\(problem as Any)") }
    // A body without a byte, as of 204, is none in every coding.
    #expect(try BodyDecoder(encoding: encoding, limit: 100).finish().count == 0)
  }

  @Test func unknownCodingSaysSoAndIsNotTriedAgain() async throws {
    let server = try FixtureServer.start { _ in
      .init(200, [1, 2, 3], headers: [HTTPField("Content-Encoding", "rot13")])
    }
    let error = try await TransportFixture().failure(server.baseURL)
    #expect(error?.message.contains("the body is encoded as “rot13”") == true)
    #expect(error?.hint?.contains("Accept-Encoding: gzip") == true)
    #expect(server.requests.count == 1)
  }

  @Test func codingsMayStandInSeveralFields() async throws {
    let bytes = try Packed.bytes("gzip", Packed.bytes("raw", Self.text))
    let server = try FixtureServer.start { _ in
      .init(
        200, bytes,
        headers: [HTTPField("Content-Encoding", "deflate"), HTTPField("content-encoding", "gzip")])
    }
    #expect(try await TransportFixture().get(server.baseURL).body.text == Self.text)
  }

  @Test func bombInABombStopsAtTheLimit() throws {
    let bytes = try Packed.bytes("gzip", Packed.bytes("gzip", Array(" ".utf8), times: 40_000_000))
    #expect(bytes.count < 5000)
    #expect(throws: BodyDecoder.Problem.tooLarge) {
      try Self.decode(bytes, "gzip, gzip", by: 4096, limit: 1_000_000)
    }
  }

  @Test func membersFollowEachOther() throws {
    let packed = try Packed.bytes("gzip", "one ") + Packed.bytes("gzip", "two") + [0, 0, 0]
    let decoder = BodyDecoder(encoding: "gzip", limit: 1000)
    try packed.withUnsafeBytes { try decoder.append($0) }
    #expect(try decoder.finish().text == "one two")
  }

  @Test func everyTruncationIsNoticed() throws {
    let packed = try Packed.bytes("gzip", "some text that is packed")
    for count in 1..<packed.count {
      let decoder = BodyDecoder(encoding: "gzip", limit: 1000)
      #expect(throws: BodyDecoder.Problem.self) {
        try packed[..<count].withUnsafeBytes { try decoder.append($0) }
        _ = try decoder.finish()
      }
    }
  }

  @Test func truncatedGzipIsTriedAgain() async throws {
    let packed = try Packed.bytes("gzip", Self.text)
    let server = try FixtureServer.start {
      .init(
        200, $0.index == 0 ? Array(packed.prefix(packed.count / 2)) : packed, headers: [Self.gzip])
    }
    #expect(try await TransportFixture().get(server.baseURL).body.text == Self.text)
    #expect(server.requests.count == 2)
    #expect(server.requests[0].header("Accept-Encoding")?.contains("gzip") == true)
  }

  @Test func malformedGzipSaysSo() async throws {
    let server = try FixtureServer.start { _ in
      .init(200, Array("this is not gzip".utf8), headers: [Self.gzip])
    }
    let error = try await TransportFixture { $0.attempts = 1 }.failure(server.baseURL)
    #expect(error?.message.contains("compressed body is malformed") == true)
  }

  @Test func bombStopsAtTheLimitInBoundedMemory() async throws {
    let packed = try Packed.bytes("gzip", " ", times: 400_000_000)
    let server = try FixtureServer.start { _ in .init(200, packed, headers: [Self.gzip]) }
    let before = Packed.peakMemory
    let error = try await TransportFixture { $0.maxBody = 10_000_000 }.failure(server.baseURL)
    #expect(error?.code == .limit)
    #expect(error?.message.contains("10 MB") == true)
    #expect(error?.hint?.contains("max_body") == true)
    // The process's peak, to which tests beside this one add; the whole body would add 400 MB.
    #expect(Packed.peakMemory - before < 300_000_000)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [true, false])
  func largeBodyStopsAtTheLimit(_ isChunked: Bool) async throws {
    let body = [UInt8](repeating: 32, count: 3_000_000)
    let server = try FixtureServer.start { _ in
      isChunked ? .init(200, body).chunked(10_000) : .init(200, body)
    }
    let error = try await TransportFixture { $0.maxBody = 1_000_000 }.failure(server.baseURL)
    #expect(error?.code == .limit)
    let exact = try await TransportFixture { $0.maxBody = 3_000_000 }.get(server.baseURL)
    #expect(exact.body.count == 3_000_000)
  }
}

/// Compressed bytes, made by Python.
enum Packed {
  static func bytes(_ form: String, _ text: String, times: Int = 1) throws -> [UInt8] {
    try bytes(form, Array(text.utf8), times: times)
  }

  static func bytes(_ form: String, _ plain: [UInt8], times: Int = 1) throws -> [UInt8] {
    let bits = ["gzip": 31, "zlib": 15, "raw": -15][form] ?? 31
    let script =
      "import sys,zlib;p=zlib.compressobj(1,8,\(bits));d=sys.stdin.buffer.read();n=\(times);"
      + "d=d*min(n,10**6);w=sys.stdout.buffer.write;"
      + "[w(p.compress(d)) for _ in range(max(1,n//10**6))];w(p.flush())"
    return try Program("python3").output(["-c", script], input: plain)
  }

  /// The most memory this process ever held, in bytes.
  static var peakMemory: Int {
    var usage = rusage()
    // RUSAGE_SELF, whose type differs between systems.
    getrusage(0, &usage)
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }
}
