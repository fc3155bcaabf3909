import AggregateCore
import AggregateSQLite
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// What holds of the cache when several processes use it at once and are killed at any moment.
struct CachedProcessesTests {
  private static let rounds = 8
  private static let pages = 30
  private static let rowsPerPage = 200

  /// Pages that never change, and pages that are another with each version.
  private final class Service: Sendable {
    let version = Mutex(0)

    func answer(_ request: FixtureServer.Request) -> FixtureServer.Response {
      let page = Int(request.path.split(separator: "/").last ?? "") ?? 0
      let isFixed = page % 2 == 1
      let version = isFixed ? 0 : version.withLock { $0 }
      let tag = "\"\(page)-\(version)\""
      let headers = [
        HTTPField("ETag", tag), HTTPField("Content-Type", "application/json"),
        HTTPField("Cache-Control", isFixed ? "max-age=3600" : "no-cache"),
      ]
      if request.header("If-None-Match") == tag { return .init(304, headers: headers) }
      return .init(200, Array(Self.body(page, version).utf8), headers: headers)
    }

    static func body(_ page: Int, _ version: Int) -> String {
      let rows = (0..<rowsPerPage).map {
        "{\"page\":\(page),\"row\":\($0),\"version\":\(version),\"text\":\"\(text(page, version))\"}"
      }
      return "[\(rows.joined(separator: ","))]"
    }

    static func text(_ page: Int, _ version: Int) -> String {
      String(repeating: "\(page).\(version) ", count: 12)
    }
  }

  private static func configuration(_ base: String) -> String {
    """
    version: 1
    sources:
      pages:
        provider: rest
        url: \(base)/pages/{page}
        for_each: { page: { range: { from: 1, to: \(pages) } } }
        columns: { page: $.page, row: $.row, version: $.version, text: $.text }
    """
  }

  private static func rows(_ version: Int) -> String {
    var text = "page,row,version,text\n"
    for page in 1...pages {
      let version = page % 2 == 1 ? 0 : version
      for row in 0..<rowsPerPage {
        text += "\(page),\(row),\(version),\(Service.text(page, version))\n"
      }
    }
    return text
  }

  /// Several runs at once; those with a time are killed after it, in seconds.
  ///
  /// They are the parts of a pipeline, because `wait` never ends in a shell whose signals are blocked.
  private static func script(_ kills: [Double?], clears: Bool) -> String {
    var parts: [String] = []
    for (index, kill) in kills.enumerated() {
      let run = "echo $$ >pid\(index); exec aggregate pages -q -j 4 -o out\(index).csv"
      let fine = kill == nil ? "[ $code = 0 ]" : "[ $code = 0 ] || [ $code = 137 ]"
      parts.append(
        """
        { sh -c '\(run)' >/dev/null 2>err\(index); code=$?
          \(fine) || echo "$code: $(cat err\(index))" >>failed
          [ $code != 137 ] || { echo killed >>killed; rm -f out\(index).csv; } }
        """)
      guard let kill else { continue }
      let victim = "pid\(index)"
      parts.append(
        "{ sleep \(kill); until [ -s \(victim) ]; do :; done; kill -9 $(cat \(victim)); }"
          + " 2>/dev/null")
    }
    if clears { parts.append("{ aggregate cache clear 2>&1 || echo clear >>failed; } >clear.log") }
    return "rm -f pid*\n" + parts.joined(separator: " |\n") + "\ntrue\n"
  }

  @Test(
    "Processes that share the cache and are killed leave whole answers, and right rows after them")
  func killedProcesses() async throws {
    let service = Service()
    let server = try FixtureServer.start { service.answer($0) }
    let sandbox = try GoldenSandbox()
    let program = try GoldenSandbox.builtProgram()
    func file(_ name: String) -> URL { sandbox.work.appending(path: name) }
    func text(_ name: String) -> String? { try? String(contentsOf: file(name), encoding: .utf8) }
    func run(_ script: String) async throws -> GoldenOutcome {
      try sandbox.outcome(exit: await sandbox.run(["-c", script], program: program))
    }
    try Data(Self.configuration(server.baseURL).utf8).write(to: file("sources.yaml"))

    var whole = 0.3
    var complete = 0
    for round in 1...Self.rounds {
      let version = service.version.withLock { version in
        version += 1
        return version
      }
      let start = ContinuousClock.now
      // The first round has nobody killed, and tells how long a run takes, unless tests keep it waiting.
      let kills = (0..<4).map { index -> Double? in
        round == 1 || index == 0 ? nil : Double.random(in: 0...whole)
      }
      // Not the last round: what is looked at then may not be taken away by one that comes late.
      let outcome = try await run(Self.script(kills, clears: round % 4 == 3))
      #expect(outcome.exit == 0)
      #expect(text("failed") == nil)
      if round == 1 { whole = min(1, (ContinuousClock.now - start) / .seconds(1)) }
      for index in 0..<4 {
        guard let found = text("out\(index).csv") else { continue }
        #expect(found == Self.rows(version), "round \(round), process \(index)")
        complete += 1
        try FileManager.default.removeItem(at: file("out\(index).csv"))
      }
    }
    #expect(complete >= Self.rounds)
    #expect(text("killed") != nil)

    let stats = "printf %s \"$XDG_CACHE_HOME\" >home; exec aggregate cache stats -f json"
    #expect(try await run(stats).stdout.contains("\"answers\":\(Self.pages),"))
    let path = try #require(text("home"))
    try check(path, latest: service.version.withLock { $0 })
    let before = server.requests.count
    #expect(try await run("exec aggregate pages -q").stdout == Self.rows(Self.rounds))
    // What is fresh was kept, and was not asked for.
    #expect(server.requests.count - before <= Self.pages / 2)
    #expect(try await run("exec aggregate cache clear").exit == 0)
    #expect(try await run("exec aggregate cache stats -f json").stdout.contains("\"answers\":0,"))
    #expect(try await run("exec aggregate pages -q").stdout == Self.rows(Self.rounds))
  }

  /// Each answer is whole, and is what its validator says it is.
  private func check(_ home: String, latest: Int) throws {
    let path = home + "/aggregate/cache.db"
    let database = try SQLiteConnection(path: path)
    #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(
      try database.rows("SELECT 1 FROM bodies WHERE id NOT IN (SELECT id FROM answers)") == [])
    let rows = try database.rows(
      "SELECT headers, size, body FROM answers LEFT JOIN bodies USING (id)")
    #expect(rows.count == Self.pages)
    for row in rows {
      let headers = row[0].text ?? ""
      let tag = headers.split(separator: "\"").dropFirst().first ?? ""
      let parts = tag.split(separator: "-").compactMap { Int($0) }
      try #require(parts.count == 2, "\(headers)")
      let body = Service.body(parts[0], parts[1])
      #expect(row[2] == .blob(Array(body.utf8)), "\(tag)")
      #expect(row[1] == .integer(Int64(body.utf8.count)))
      #expect(parts[1] == (parts[0] % 2 == 1 ? 0 : latest))
    }
  }

  @Test("A cache that is no database is not used, and “cache clear” makes it one again")
  func damagedCache() async throws {
    let service = Service()
    let server = try FixtureServer.start { service.answer($0) }
    let sandbox = try GoldenSandbox()
    let program = try GoldenSandbox.builtProgram()
    try Data(Self.configuration(server.baseURL).utf8)
      .write(to: sandbox.work.appending(path: "sources.yaml"))
    func run(_ script: String) async throws -> GoldenOutcome {
      try sandbox.outcome(exit: await sandbox.run(["-c", script], program: program))
    }
    let broken = try await run(
      """
      mkdir -p "$XDG_CACHE_HOME/aggregate"
      yes 'no database' | head -c 100000 >"$XDG_CACHE_HOME/aggregate/cache.db"
      exec aggregate pages
      """)
    #expect(broken.stdout == Self.rows(0))
    #expect(broken.exit == 0)
    #expect(broken.stderr.components(separatedBy: "the cache is not used").count == 2)
    #expect(try await run("exec aggregate cache clear").exit == 0)
    for _ in 0..<2 { #expect(try await run("exec aggregate pages -q").stdout == Self.rows(0)) }
    #expect(server.requests.count == 2 * Self.pages + Self.pages / 2)
  }
}
