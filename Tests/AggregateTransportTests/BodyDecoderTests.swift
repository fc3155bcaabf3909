import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite struct BodyDecoderTests {
  private static let text = (0..<3000).map { "row \($0 % 97)\n" }.joined()
  private static let gzip = HTTPField("Content-Encoding", "gzip")

  @Test(arguments: ["gzip", "zlib", "raw"], [1, 2, 3, 7, 1024, 4096])
  func pieceSizeDoesNotMatter(_ form: String, _ size: Int) throws {
    let packed = try Packed.bytes(form, Self.text)
    let decoder = BodyDecoder(encoding: form == "gzip" ? "gzip" : "deflate", limit: 1_000_000)
    for start in stride(from: 0, to: packed.count, by: size) {
      let piece = Array(packed[start..<min(start + size, packed.count)])
      try piece.withUnsafeBytes { try decoder.append($0) }
    }
    #expect(try decoder.finish().text == Self.text)
    #expect(decoder.received == packed.count)
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

/// Compressed bytes, made by a program that is everywhere.
enum Packed {
  static func bytes(_ form: String, _ text: String, times: Int = 1) throws -> [UInt8] {
    let bits = ["gzip": 31, "zlib": 15, "raw": -15][form] ?? 31
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import sys,zlib;p=zlib.compressobj(1,8,\(bits));d=sys.stdin.buffer.read();n=\(times);"
        + "d=d*min(n,10**6);w=sys.stdout.buffer.write;"
        + "[w(p.compress(d)) for _ in range(max(1,n//10**6))];w(p.flush())",
    ]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    DispatchQueue.global().async {
      input.fileHandleForWriting.write(Data(text.utf8))
      try? input.fileHandleForWriting.close()
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(data)
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
