import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateREST

@Suite struct IncrementalTests {
  /// Gives fixed windows, and notes what was finished.
  private final class Cursors: AggregateCore.Cursors {
    let windows: [Window]
    let finished = Mutex<[String]>([])
    let left = Mutex<[String]>([])

    init(_ windows: [Window]) { self.windows = windows }

    func window(after window: Window?, of partition: String) -> Window? {
      let next = window.map { $0.index + 1 } ?? 0
      return windows.indices.contains(next) ? windows[next] : nil
    }

    /// The parts whose cursors move.
    var moved: [String] {
      let left = left.withLock { $0 }
      return finished.withLock { $0 }.filter { !left.contains($0) }
    }

    func finish(_ partition: String) { finished.withLock { $0.append(partition) } }
    func leave(_ partition: String) { left.withLock { $0.append(partition) } }
    func leaveAll() { leave("*") }
  }

  private func window(_ index: Int, _ since: String, _ until: String? = nil) -> Window {
    Window(
      index: index, since: since, until: until,
      query: [HTTPField("since", since)] + (until.map { [HTTPField("until", $0)] } ?? []))
  }

  private func read(
    _ json: String, _ api: FakeAPI, _ cursors: Cursors, jobs: Int = 4, maxPages: Int? = nil
  ) async throws -> [String] {
    var diagnostics = Diagnostics()
    let source = try provider(json, &diagnostics)
    try diagnostics.throwIfErrors()
    let collector = Collector()
    try await source.rows(
      ProviderContext(
        source: "s", http: api, log: .silent, jobs: jobs, maxPages: maxPages,
        cursors: cursors, emit: { try await collector.take($0) }))
    return await collector.batches.flatMap { batch in
      (0..<batch.rowCount).map { batch.columns[0].value(at: $0).displayText }
    }
  }

  private let common = #""columns":{"id":"$.id"},"incremental":{"cursor":"id","query":"since"}"#

  @Test(arguments: [1, 2, 8])
  func windowsAreAskedForOneAfterTheOther(_ jobs: Int) async throws {
    let cursors = Cursors([window(0, "a", "b"), window(1, "b", "c")])
    let api = FakeAPI { request in
      .init(body: request.query("since") == "a" ? records(1, 3) : records(4, 5))
    }
    let ids = try await read(
      #"{"url":"https://a.example/x","query":{"since":"old","q":"1"},\#(common)}"#, api, cursors,
      jobs: jobs)
    #expect(ids == ["1", "2", "3", "4", "5"])
    #expect(
      api.addresses == [
        "https://a.example/x?since=a&q=1&until=b", "https://a.example/x?since=b&q=1&until=c",
      ])
    #expect(cursors.finished.withLock { $0 } == [""])
  }

  @Test func placeholdersTakeTheWindow() async throws {
    let cursors = Cursors([
      Window(index: 0, since: "2024-01-01", until: "2024-02-01", query: [])
    ])
    let api = FakeAPI { _ in .init(body: records(2, 2)) }
    _ = try await read(
      #"{"url":"https://a.example/{since}/{until}","columns":{"id":"$.id","s":"{since}"},"incremental":{"cursor":"id"}}"#,
      api, cursors)
    #expect(api.addresses == ["https://a.example/2024-01-01/2024-02-01"])
  }

  @Test func partitionsHaveNamesOfTheirOwn() async throws {
    let cursors = Cursors([window(0, "a")])
    let api = FakeAPI { _ in .init(body: records(2, 2)) }
    _ = try await read(
      #"{"url":"https://a.example/{p}","for_each":{"p":["x","y"],"q":["1"]},\#(common)}"#, api,
      cursors)
    #expect(cursors.finished.withLock { Set($0) } == ["p=x&q=1", "p=y&q=1"])
  }

  @Test func sourceThatIsNotReadToItsEndIsNotFinished() async throws {
    let cursors = Cursors([window(0, "a")])
    let api = FakeAPI { .init(body: pageBody($0.int("page", 1), 2, 10)) }
    let json =
      #"{"url":"https://a.example/","records":"$.items[*]","paginate":{"page":{"param":"page"}},\#(common)}"#
    _ = try await read(json, api, cursors, maxPages: 2)
    #expect(cursors.moved.isEmpty)
    let others = Cursors([window(0, "a")])
    _ = try await read(json, api, others, maxPages: 20)
    #expect(others.moved == [""])
  }

  @Test func failingPartIsNotFinished() async throws {
    let cursors = Cursors([window(0, "a")])
    let api = FakeAPI { _ in .init(status: 500, body: "") }
    await #expect(throws: AggregateError.self) {
      try await read(#"{"url":"https://a.example/",\#(common)}"#, api, cursors)
    }
    #expect(cursors.finished.withLock { $0 }.isEmpty)
  }

  @Test func nextPagesKeepTheWindow() async throws {
    let cursors = Cursors([window(0, "a")])
    let api = FakeAPI { request in
      request.query("page") == nil
        ? .init(body: #"{"items":[{"id":2}],"next":"?page=2"}"#)
        : .init(body: #"{"items":[{"id":3}]}"#)
    }
    _ = try await read(
      #"{"url":"https://a.example/","records":"$.items[*]","paginate":{"next_url":{"from":"$.next"}},\#(common)}"#,
      api, cursors)
    #expect(api.addresses.last == "https://a.example/?page=2&since=a")
  }

  @Test func cursorAndKeyMustBeColumns() throws {
    var diagnostics = Diagnostics()
    _ = try provider(
      #"{"url":"https://a.example/","columns":{"id":"$.id"},"incremental":{"cursor":"at","query":"s","key":["idd"]}}"#,
      &diagnostics)
    #expect(diagnostics.all.map(\.code) == ["unknown-column", "unknown-column"])
  }
}
