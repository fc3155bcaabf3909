import AggregateCore
import AggregateProviders
import AggregateRun
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// Rows for Swift programs, over real sockets.
struct EngineTests {
  private let folder = TemporaryFolder()

  private func engine(
    _ yaml: String, onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> Engine {
    let path = folder.file("sources.yaml")
    try Data("version: 1\n\(yaml)".utf8).write(to: URL(filePath: path))
    var settings = RunSettings()
    settings.cache = .none
    return try Engine(
      configuration: path, providers: Providers.all, settings: settings, onMessage: onMessage)
  }

  /// A source of endless pages of two rows each, read one after the other.
  private func endless(_ server: FixtureServer) -> String {
    """
    sources:
      pages:
        provider: rest
        url: \(server.baseURL)/pages
        paginate: { page: { param: page } }
        retry: { attempts: 1 }
        max_pages: 100000
        columns: { n: $.n }
    """
  }

  private func server() throws -> FixtureServer {
    try FixtureServer.start { request in
      let page = Int(request.query("page") ?? "1") ?? 1
      return .json(#"[{"n": \#(page * 2)}, {"n": \#(page * 2 + 1)}]"#)
    }
  }

  private func numbers(_ batch: Batch) -> [String] {
    guard let column = batch.schema.index(of: "n") else { return [] }
    return (0..<batch.rowCount).map { batch.columns[column].value(at: $0).displayText }
  }

  /// Waits until no more requests come; gives how many there were.
  private func settled(_ server: FixtureServer) async throws -> Int {
    var count = -1
    while count != server.requests.count {
      count = server.requests.count
      try await Task.sleep(for: .milliseconds(200))
    }
    return count
  }

  @Test func pipelinesGiveTheirRowsInOrder() async throws {
    try Data("n\n1\n2\n".utf8).write(to: URL(filePath: folder.file("a.csv")))
    try Data("n\n3\n".utf8).write(to: URL(filePath: folder.file("b.csv")))
    let engine = try engine(
      """
      sources:
        a: { provider: file, path: "\(folder.path)/a.csv" }
        b: { provider: file, path: "\(folder.path)/b.csv" }
      pipelines:
        both: { merge: [a, b], stages: [{ filter: n > 1 }] }
      """)
    #expect(engine.sources == ["a", "b"])
    #expect(engine.pipelines == ["both"])
    let rows = engine.rows(of: "both")
    for _ in 0..<2 {
      var found: [String] = []
      for try await batch in rows { found += numbers(batch) }
      #expect(found == ["2", "3"])
    }
  }

  @Test func leavingTheLoopStopsTheRequests() async throws {
    let server = try server()
    let engine = try engine(endless(server))
    for try await batch in engine.rows(of: "pages") {
      #expect(numbers(batch).first == "2")
      break
    }
    #expect(try await settled(server) < 1000)
  }

  @Test func cancellingTheTaskStopsTheRequests() async throws {
    let server = try server()
    let engine = try engine(endless(server))
    let (batches, isReached) = AsyncStream<Void>.makeStream()
    let task = Task {
      for try await _ in engine.rows(of: "pages") { isReached.yield() }
    }
    for await _ in batches.prefix(3) {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let count = server.requests.count
    #expect(try await settled(server) <= count + 1)
  }

  @Test func aFailureComesBehindTheRowsBeforeIt() async throws {
    let server = try FixtureServer.start { request in
      request.query("page") == "2" ? .json("{}", status: 404) : .json(#"[{"n": 1}]"#)
    }
    let engine = try engine(endless(server))
    var found: [String] = []
    let error = await #expect(throws: AggregateError.self) {
      for try await batch in engine.rows(of: "pages") { found += numbers(batch) }
    }
    #expect(found == ["1"])
    #expect(error?.source == "pages")
  }

  @Test func whatIsLeftOutIsTold() async throws {
    let server = try FixtureServer.start { request in
      request.path == "/bad" ? .json("{}", status: 404) : .json(#"[{"n": 1}]"#)
    }
    let told = Mutex<[String]>([])
    let engine = try engine(
      """
      defaults: { retry: { attempts: 1 }, on_error: skip }
      sources:
        good: { provider: rest, url: "\(server.baseURL)/good" }
        bad: { provider: rest, url: "\(server.baseURL)/bad" }
      pipelines:
        both: { merge: [good, bad] }
      """, onMessage: { text in told.withLock { $0.append(text) } })
    var found: [String] = []
    for try await batch in engine.rows(of: "both") { found += numbers(batch) }
    #expect(found == ["1"])
    #expect(told.withLock { $0.contains { $0.contains("404") } })
  }

  @Test func mistakesAreThrownBeforeAnythingIsAsked() async throws {
    #expect(throws: DiagnosticsError.self) {
      try self.engine("sources:\n  a: { provider: rest, urll: x }\n")
    }
    let engine = try engine("sources:\n  a: { provider: file, path: x.csv }\n")
    let error = await #expect(throws: AggregateError.self) {
      for try await _ in engine.rows(of: "aa") {}
    }
    #expect(error?.code == .configuration)
  }
}
