import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// What a source that is read for each row of an incremental one sees of it.
struct ParentCursorTests {
  private let sandbox: GoldenSandbox
  private let server: FixtureServer

  init() throws {
    sandbox = try GoldenSandbox()
    let broken = Broken()
    self.state = broken
    server = try FixtureServer.start { request in
      let parts = request.path.split(separator: "/")
      if parts.count == 3 {
        return broken.contains(String(parts[1]))
          ? .json("{}", status: 404) : .json(#"[{"comment": \#(parts[1])0}]"#)
      }
      let since = request.query("since") ?? ""
      let rows = (1...3).filter { since <= "2024-01-0\($0)T00:00:00Z" }
      let items = rows.map { #"{"id": \#($0), "at": "2024-01-0\#($0)T00:00:00Z"}"# }
      return .json("[\(items.joined(separator: ","))]")
    }
    let yaml = """
      version: 1
      sources:
        issues:
          provider: rest
          url: \(server.baseURL)/issues
          columns: { id: $.id, at: { path: $.at, type: instant } }
          incremental: { cursor: at, query: since, key: id }
        comments:
          provider: rest
          url: \(server.baseURL)/issues/{id}/comments
          for_each: { id: { source: issues, column: id } }
          on_error: partial
          columns: { comment: $.comment }
      """
    try Data(yaml.utf8).write(to: sandbox.work.appending(path: "sources.yaml"))
  }

  /// The issues whose comments are not there.
  private final class Broken: Sendable {
    private let ids = Mutex<Set<String>>([])

    func contains(_ id: String) -> Bool { ids.withLock { $0.contains(id) } }
    func set(_ new: Set<String>) { ids.withLock { $0 = new } }
  }

  private let state: Broken

  /// The rows that a command gives, without their header.
  private func rows(_ command: String, exit wanted: Int32 = 0) async throws -> [String] {
    let (rows, exit) = try await sandbox.rows(of: command)
    #expect(exit == wanted)
    return rows
  }

  private func listedCursors() async throws -> [String] {
    _ = try await sandbox.run(
      ["-c", "aggregate state list"], program: GoldenSandbox.builtProgram())
    return try sandbox.outcome(exit: 0).stdout.split(separator: "\n").map {
      String($0.prefix { $0 != "2" }).trimmingCharacters(in: .whitespaces)
    }
  }

  @Test func runsOfTheParentTakeNothingAway() async throws {
    #expect(try await rows("issues").count == 3)
    #expect(try await rows("comments") == ["10", "20", "30"])
    #expect(try await rows("comments") == [])
    #expect(try await rows("issues") == [])
    #expect(try await listedCursors() == ["issues", "issues for comments"])
  }

  @Test func parentIsReadAgainWhenAPartOfTheOtherFailed() async throws {
    state.set(["2"])
    #expect(try await rows("comments", exit: 3) == ["10", "30"])
    state.set([])
    #expect(try await rows("comments") == ["10", "20", "30"])
    #expect(try await rows("comments") == [])
    #expect(try await rows("issues").count == 3)
  }

  @Test func resettingTheOtherResetsWhatItSawOfTheParent() async throws {
    #expect(try await rows("comments").count == 3)
    #expect(try await rows("issues").count == 3)
    let program = try GoldenSandbox.builtProgram()
    #expect(try await sandbox.run(["-c", "aggregate state reset comments"], program: program) == 0)
    #expect(try await rows("comments").count == 3)
    #expect(try await rows("issues") == [])
  }
}
