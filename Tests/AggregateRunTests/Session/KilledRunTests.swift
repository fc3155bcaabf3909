import AggregateCore
import AggregateSQLite
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// What holds of incremental runs that end at any moment.
struct KilledRunTests {
  private static let runs = 40
  private static let rowsPerRun = 1000

  /// Rows that the server has; each was changed a second after the one before it.
  private final class Service: Sendable {
    let count = Mutex(0)

    func answer(_ request: FixtureServer.Request) -> FixtureServer.Response {
      let query = URLComponents(string: "http://localhost" + request.target)?.queryItems ?? []
      let since = query.first { $0.name == "since" }?.value ?? ""
      let page = query.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
      let first = max(1, Self.number(since) + 250 * (page - 1))
      let last = min(count.withLock { $0 }, first + 249)
      let items = (first..<max(first, last + 1)).map {
        "{\"id\":\($0),\"value\":\"v\($0)\",\"updated\":\"\(Self.time($0))\"}"
      }
      var response = FixtureServer.Response(
        200, Array("[\(items.joined(separator: ","))]".utf8),
        headers: [HTTPField("Content-Type", "application/json"), HTTPField("ETag", "\"\(page)\"")])
      response.delay = .milliseconds(1)
      return response
    }

    /// The first row that was changed at this time or later.
    private static func number(_ time: String) -> Int {
      let parts = time.dropFirst(11).dropLast().split(separator: ":").compactMap { Int($0) }
      return parts.reduce(0) { 60 * $0 + $1 }
    }

    private static func time(_ number: Int) -> String {
      "2024-01-01T"
        + [number / 3600, number / 60 % 60, number % 60].map {
          String(format: "%02d", $0)
        }.joined(separator: ":") + "Z"
    }
  }

  private static func configuration(_ base: String) -> String {
    """
    version: 1
    sources:
      items:
        provider: rest
        url: \(base)/items
        paginate: { page: { param: page } }
        columns: { id: $.id, value: $.value, updated: { path: $.updated, type: instant } }
        incremental: { cursor: updated, query: since, start: "2024-01-01T00:00:00Z", key: [id] }
    """
  }

  @Test("A run killed at any moment, and run again, loses no row and writes none twice")
  func killedRuns() async throws {
    let service = Service()
    let server = try FixtureServer.start { service.answer($0) }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    try Data(Self.configuration(server.baseURL).utf8)
      .write(to: sandbox.work.appending(path: "sources.yaml"))
    let run = "exec aggregate items -q -o 'sqlite:out.db?table=items&key=id'"
    let program = try GoldenSandbox.builtProgram()
    func complete() async throws -> Duration {
      let start = ContinuousClock.now
      #expect(try await sandbox.run(["-c", run], program: program) == 0)
      return ContinuousClock.now - start
    }
    service.count.withLock { $0 += Self.rowsPerRun }
    // The shortest so far: one that was slow would put the ends of all others behind their runs.
    var whole = try await complete()
    var killed = 0
    for round in 1...Self.runs {
      service.count.withLock { $0 += Self.rowsPerRun }
      do {
        // Most end where the table is written and the cursor saved, which is the last part of a run.
        let part = Double(round) / Double(Self.runs)
        let limit = whole * (round % 4 == 0 ? part : 0.8 + 0.25 * part)
        let exit = try await sandbox.run(["-c", run], program: program, timeLimit: limit)
        #expect(exit == 0)
      } catch is GoldenCaseError {
        killed += 1
      }
      // A run of the same size each time, so that its moments stay where they are.
      whole = min(whole, try await complete())
    }
    #expect(killed > 0)
    let exit = try await sandbox.run(["-c", run], program: program)
    #expect(exit == 0)
    #expect(try await sandbox.run(["-c", "exec aggregate state list"], program: program) == 0)

    let table = try SQLiteConnection(
      path: sandbox.work.appending(path: "out.db").path, isReadOnly: true)
    let rows = try table.rows("SELECT id, value FROM items ORDER BY id").map { "\($0)" }
    let expected = service.count.withLock { $0 }
    #expect(rows.count == expected)
    #expect(Set(rows).count == expected)
    #expect("\(try table.rows("PRAGMA integrity_check"))".contains("ok"))
  }
}
