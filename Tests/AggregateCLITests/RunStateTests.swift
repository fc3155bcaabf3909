import AggregateCore
import AggregateProviders
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateCLI

/// Runs of the whole program against a server: what they leave for the next one.
@Suite(.serialized) struct RunStateTests {
  private let folder = TemporaryFolder()
  private let server: FixtureServer

  init() throws {
    setenv("XDG_STATE_HOME", folder.path + "/state", 1)
    setenv("XDG_CACHE_HOME", folder.path + "/cache", 1)
    server = try FixtureServer.start { request in
      if request.path == "/down" { return .json("{}", status: 503) }
      let rows = [(1, "2024-01-01"), (2, "2024-01-02"), (3, "2024-01-03")]
      let since = request.query("since") ?? ""
      let items = rows.filter { since.isEmpty || "\($0.1)T00:00:00Z" >= since }
        .map { "{\"id\":\($0.0),\"at\":\"\($0.1)T00:00:00Z\"}" }
      return .json(
        "[\(items.joined(separator: ","))]",
        headers: request.path == "/kept" ? [.init("Cache-Control", "max-age=60")] : [])
    }
  }

  /// Runs a source with these keys; gives its exit code and rows.
  private func run(_ keys: String, _ arguments: String...) async throws -> (
    code: Int32, ids: [String]
  ) {
    let configuration = folder.path + "/sources.yaml"
    let yaml = """
      version: 1
      sources:
        src:
          provider: rest
          retry: {attempts: 1}
          columns: {id: $.id, at: {path: $.at, type: instant}}
          \(keys)
      """
    try Data(yaml.utf8).write(to: URL(filePath: configuration))
    let output = folder.path + "/out.csv"
    try? FileManager.default.removeItem(atPath: output)
    let code = await Entry.main(
      ["run", "src", "-q", "-c", configuration, "-o", output] + arguments,
      providers: Providers.all)
    let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").dropFirst()
    return (code, lines.map { String($0.prefix { $0 != "," }) })
  }

  private var incremental: String {
    "url: \(server.baseURL)/rows\n    incremental: {cursor: at, query: since, key: id}"
  }

  @Test func nextRunAsksFromTheCursor() async throws {
    #expect(try await run(incremental).ids == ["1", "2", "3"])
    #expect(try await run(incremental) == (0, []))
    #expect(server.requests.map { $0.query("since") } == [nil, "2024-01-03T00:00:00Z"])
  }

  @Test(arguments: [["--limit", "1"], ["--limit", "100"], ["--stage", "head: 2"]])
  func limitLeavesTheCursor(_ arguments: [String]) async throws {
    _ = try await run(incremental, arguments[0], arguments[1])
    #expect(try await run(incremental).ids == ["1", "2", "3"])
  }

  @Test func failureLeavesTheCursor() async throws {
    let failing = incremental + "\n    stages: [{expect: {rule: id < 3}}]"
    #expect(try await run(failing).code == 5)
    #expect(try await run(incremental).ids == ["1", "2", "3"])
  }

  @Test func cacheAnswersTheNextRun() async throws {
    let kept = "url: \(server.baseURL)/kept"
    for arguments in [[], [], ["--refresh"], ["--offline"], ["--no-cache"]] {
      let result =
        arguments.isEmpty ? try await run(kept) : try await run(kept, arguments[0])
      #expect(result == (0, ["1", "2", "3"]))
    }
    #expect(server.requests.count == 3)
    #expect(try await run("url: \(server.baseURL)/other", "--offline").code == 1)
  }

  @Test func recordingIsMadeOfRequestsAndChangesNothing() async throws {
    let har = folder.path + "/run.har"
    #expect(try await run(incremental, "--record", har).ids == ["1", "2", "3"])
    #expect(try await run(incremental, "--replay", har).ids == ["1", "2", "3"])
    #expect(try await run(incremental).ids == [])
    #expect(server.requests.count == 2)
  }
}
