import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

/// The servers and proxies of `Tests/Servers/peer.py`, which run as long as the tests do.
final class Peer: Sendable {
  /// Nil when python3 or openssl are missing, or can't do what is needed.
  static let shared = try? Peer()

  static let isMissing = "python3 with its module ssl, and openssl, are not there"

  /// Where the certificates are.
  let folder: String
  private let ports: [String: Int]
  private let process: Process
  private let input: Pipe

  private init() throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Servers/peer.py")
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-W", "ignore", script.path]
    let output = Pipe()
    // Its end tells the program that the tests are over.
    input = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var line = Data()
    while !line.contains(10) {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { break }
      line += piece
    }
    let start = try JSONDecoder().decode(Start.self, from: line)
    folder = start.folder
    ports = start.ports
  }

  private struct Start: Decodable {
    var folder: String
    var ports: [String: Int]
  }

  /// The path of a certificate or a key.
  func file(_ name: String) -> String { "\(folder)/\(name)" }

  /// The port of a server.
  func port(_ name: String) throws -> Int {
    try #require(ports[name], "there is no server \(name)")
  }

  /// Whether this system can run a server.
  func has(_ name: String) -> Bool { ports[name] != nil }

  /// A client that trusts the authority of the peer, and whatever `change` says.
  func client(
    trusting: Bool = true, _ change: (inout RequestPolicy) -> Void = { _ in }
  ) -> TransportFixture {
    let wire = CurlEngine(userAgent: "aggregate/test", environment: { _ in nil })
    return TransportFixture(wire: wire) { policy in
      if trusting { policy.tls.authorities = file("ca.pem") }
      // Whatever the environment of the tests says.
      policy.proxy = ""
      change(&policy)
    }
  }

  /// What a server said, as it said it.
  func get(_ url: String, _ change: (inout RequestPolicy) -> Void = { _ in }) async throws -> Said {
    try Said(await client(trusting: true, change).get(url))
  }

  /// What the server was asked.
  struct Said: Decodable, Equatable {
    var connection: Int
    var target: String?
    var authorization: String?
    var proxied: Bool?
    var client: String?
    var tls: String?
    var stream: Int?

    init(_ answer: HTTPResponse) throws {
      self = try JSONDecoder().decode(Said.self, from: Data(answer.body.text.utf8))
    }
  }

  /// Runs the program over a source `src` with these lines, and then over others in its place.
  func run(
    _ lines: String, then others: [String] = [], command: String = "aggregate src",
    environment: [String: String]
  ) async throws -> GoldenOutcome {
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    var script = ""
    for (index, lines) in ([lines] + others).enumerated() {
      let yaml =
        "version: 1\nsources:\n  src:\n    provider: rest\n"
        + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
      try Data(yaml.utf8).write(to: sandbox.work.appending(path: "\(index).yaml"))
      script += "cp \(index).yaml sources.yaml; \(command)\n"
    }
    let exit = try await sandbox.run(
      ["-c", script], program: try GoldenSandbox.builtProgram(), environment: environment)
    return try sandbox.outcome(exit: exit)
  }
}
