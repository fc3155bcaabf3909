import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// What holds when several runs of one configuration go on at the same time.
struct ConcurrentRunTests {
  private static let processes = 4

  /// Runs the source `items` in four processes; gives the exit code of each.
  private func run(
    _ sandbox: GoldenSandbox, _ source: String, _ options: String = ""
  ) async throws -> [Int32] {
    try configure(sandbox, source)
    // The parts of a pipeline: `wait` never ends in a shell whose signals are blocked.
    let script = (1...Self.processes).map { number in
      "{ aggregate items -q \(options) -o rows\(number).ndjson 2>err\(number); echo $? >exit\(number); }"
    }.joined(separator: " |\n")
    let program = try GoldenSandbox.builtProgram()
    #expect(try await sandbox.run(["-c", script], program: program) == 0)
    return try (1...Self.processes).map { number in
      let text = try text(sandbox, "exit\(number)").trimmingCharacters(in: .whitespacesAndNewlines)
      return try #require(Int32(text))
    }
  }

  private func configure(_ sandbox: GoldenSandbox, _ source: String) throws {
    try Data("version: 1\nsources:\n  items:\n    provider: rest\n\(source)".utf8)
      .write(to: sandbox.work.appending(path: "sources.yaml"))
  }

  private func text(_ sandbox: GoldenSandbox, _ name: String) throws -> String {
    try String(contentsOf: sandbox.work.appending(path: name), encoding: .utf8)
  }

  private func errors(_ sandbox: GoldenSandbox) throws -> String {
    try (1...Self.processes).map { try text(sandbox, "err\($0)") }.joined()
  }

  @Test func rateLimitHoldsOverProcesses() async throws {
    let server = try FixtureServer.start { _ in .json(#"[{"a": 1}]"#) }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let exits = try await run(
      sandbox,
      Self.source(server.baseURL, to: 5, "rate_limit: 8/s"), "-j 4")
    #expect(exits == [0, 0, 0, 0], "\(try? errors(sandbox))")
    let times = server.requests.map(\.at).sorted()
    #expect(times.count == 20)
    // Arrivals are later than the turns, one more than the other; four limits of their own would
    // let all come at once.
    if let first = times.first, let last = times.last {
      #expect(last - first >= .milliseconds(1500))
    }
    for i in times.indices.dropFirst(8) {
      #expect(times[i] - times[i - 8] >= .milliseconds(500))
    }
    for number in 1...Self.processes {
      let rows = try text(sandbox, "rows\(number).ndjson").split(separator: "\n")
      #expect(rows.count == 5)
    }
  }

  @Test func quotaIsSpentOnceOverProcesses() async throws {
    let server = try FixtureServer.start { _ in .json(#"[{"a": 1}]"#) }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let exits = try await run(
      sandbox,
      Self.source(server.baseURL, to: 5, "quota: 12/day"), "-j 2")
    #expect(server.requests.count == 12)
    #expect(exits.contains(1))
    #expect(try errors(sandbox).contains("the quota of 12/day is used up"))
    #expect(
      try await sandbox.run(
        ["-c", "aggregate quota"], program: GoldenSandbox.builtProgram()) == 0)
    #expect(try sandbox.outcome(exit: 0).stdout.contains("12"))
  }

  /// A service whose refresh tokens are good once and whose access tokens are good for a few requests.
  private final class TokenService: Sendable {
    private struct State {
      var refresh = "r0"
      var count = 0
      var uses: [String: Int] = [:]
      var misuses: [String] = []
    }

    private let state = Mutex(State())
    private let usesPerToken: Int

    init(usesPerToken: Int) { self.usesPerToken = usesPerToken }

    /// Refresh tokens that were sent a second time, or never were good.
    var misuses: [String] { state.withLock(\.misuses) }
    var renewals: Int { state.withLock(\.count) }

    func answer(_ request: FixtureServer.Request) -> FixtureServer.Response {
      request.path == "/token"
        ? token(String(decoding: request.body, as: UTF8.self)) : data(request)
    }

    private func token(_ form: String) -> FixtureServer.Response {
      state.withLock { state in
        let sent = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }?.dropFirst(
          14)
        guard let sent, sent == state.refresh else {
          state.misuses.append(form)
          return .json(#"{"error":"invalid_grant"}"#, status: 400)
        }
        state.count += 1
        state.refresh = "r\(state.count)"
        let access = "access\(state.count)"
        state.uses[access] = 0
        return .json(
          #"{"access_token":"\#(access)","refresh_token":"\#(state.refresh)","expires_in":3600}"#)
      }
    }

    private func data(_ request: FixtureServer.Request) -> FixtureServer.Response {
      let token = String((request.header("Authorization") ?? "").dropFirst("Bearer ".count))
      return state.withLock { state in
        guard let uses = state.uses[token], uses < usesPerToken else {
          return .json(#"{"error":"expired"}"#, status: 401)
        }
        state.uses[token] = uses + 1
        return .json(#"[{"a": 1}]"#)
      }
    }
  }

  private static func source(_ base: String, to last: Int, _ key: String) -> String {
    """
        url: \(base)/{n}
        for_each: { n: { range: { from: 1, to: \(last) } } }
        cache: off
        \(key)
    """
  }

  private static func tokens(_ base: String) -> String {
    "auth: { oauth2: { token_url: \"\(base)/token\", grant: refresh_token, client_id: id, "
      + "client_secret: secret, refresh_token: r0 } }"
  }

  @Test func refreshTokenThatIsGoodOnceIsUsedByOneProcess() async throws {
    let service = TokenService(usesPerToken: 1000)
    let server = try FixtureServer.start { service.answer($0) }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    let exits = try await run(
      sandbox, Self.source(server.baseURL, to: 6, Self.tokens(server.baseURL)), "-j 4")
    #expect(exits == [0, 0, 0, 0], "\(try? errors(sandbox))")
    #expect(service.misuses == [])
    #expect(service.renewals == 1)
    for number in 1...Self.processes {
      #expect(try text(sandbox, "rows\(number).ndjson").split(separator: "\n").count == 6)
    }
  }

  @Test(
    "Access tokens that are good for one request, or a few, lose no row of a concurrent run",
    arguments: [1, 3])
  func accessTokensThatAreUsedUp(usesPerToken: Int) async throws {
    let service = TokenService(usesPerToken: usesPerToken)
    let server = try FixtureServer.start { service.answer($0) }
    let sandbox = try GoldenSandbox()
    defer { sandbox.remove() }
    try configure(sandbox, Self.source(server.baseURL, to: 30, Self.tokens(server.baseURL)))
    let program = try GoldenSandbox.builtProgram()
    let exit = try await sandbox.run(["-c", "aggregate items -q -j 8 -f csv"], program: program)
    let outcome = try sandbox.outcome(exit: exit)
    #expect(exit == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.split(separator: "\n").count == 31)
    #expect(service.misuses == [])
    #expect(service.renewals >= 30 / usesPerToken)
  }
}
