import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateRun

/// A source that gives its rows to the output and is read for each of its rows by others is fetched once.
struct SharedReadTests {
  private func run(
    _ names: String, parents: String = "", status: Int = 200
  ) async throws -> (outcome: GoldenOutcome, requests: [String]) {
    let server = try FixtureServer.start { request in
      let parts = request.path.split(separator: "/")
      if parts.count > 1 { return .json(#"[{"n": \#(parts[1])0}, {"n": \#(parts[1])1}]"#) }
      if request.query("page") == "2" { return .json(#"[{"n": 3}]"#, status: status) }
      return .json(request.query("page") == "3" ? "[]" : #"[{"n": 1}, {"n": 2}]"#)
    }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let yaml = """
      version: 1
      sources:
        parents:
          provider: rest
          url: \(server.baseURL)/parents
          paginate: { page: { param: page } }
          retry: { attempts: 1 }
          cache: off
          \(parents)
        kids:
          provider: rest
          url: \(server.baseURL)/parents/{p}
          for_each: { p: { source: parents, column: n } }
          columns: { n: $.n }
          cache: off
      """
    try Data(yaml.utf8).write(to: sandbox.work.appending(path: "sources.yaml"))
    let exit = try await sandbox.run(
      ["-c", "aggregate \(names) -f csv --report json"], program: GoldenSandbox.builtProgram())
    return (try sandbox.outcome(exit: exit), server.requests.map(\.path).sorted())
  }

  private static let all = [
    "/parents", "/parents", "/parents", "/parents/1", "/parents/2", "/parents/3",
  ]

  @Test(arguments: ["parents kids", "kids parents"], ["", "columns: { n: $.n }"])
  func isFetchedOnce(names: String, parents: String) async throws {
    let (outcome, requests) = try await run(names, parents: parents)
    #expect(outcome.exit == 0, "\(outcome.stderr)")
    #expect(requests == Self.all)
    let rows = Set(outcome.stdout.split(separator: "\n").dropFirst().map(String.init))
    let wanted = (1...3).flatMap { ["parents,\($0)", "kids,\($0)0", "kids,\($0)1"] }
    #expect(rows == Set(wanted))
    #expect(outcome.stdout.split(separator: "\n").count == 10)
    // Its rows are counted once, too.
    #expect(outcome.stderr.contains(#""name":"parents","status":"ok","rows":3,"pages":3"#))
  }

  @Test func limitEndsBothReaders() async throws {
    let (outcome, _) = try await run("parents kids --limit 2")
    #expect(outcome.exit == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.split(separator: "\n").count == 3)
  }

  @Test func failureReachesBothReaders() async throws {
    let (outcome, requests) = try await run("parents kids", status: 500)
    #expect(outcome.exit == 1)
    #expect(outcome.stderr.contains("answered 500"))
    #expect(requests.filter { $0 == "/parents" }.count == 2)
  }

  @Test func sourceThatFailsIsLeftOutByTheOutputAlone() async throws {
    let (outcome, _) = try await run(
      "parents kids", parents: "on_error: skip", status: 500)
    #expect(outcome.exit == 3, "\(outcome.stderr)")
    #expect(outcome.stderr.contains(#""name":"parents","status":"skipped""#))
  }
}
