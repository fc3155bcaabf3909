import AggregateCore
import AggregateNews
import Synchronization
import Testing

/// What is asked of NewsAPI, and what the plan tells of it.
struct NewsRequestTests {
  private func query(_ more: [(String, Written)]) async -> [String: String] {
    let client = NewsAPITests.service(total: 1)
    _ = await News.run(
      .map([("api_key", "k"), ("endpoint", "everything"), ("query", "x")] + more), client: client)
    return Dictionary(
      client.requests[0].url.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  @Test func parametersOfEverything() async {
    let query = await query([
      ("search_in", ["title", "content"]), ("exclude_domains", ["a.example", "b.example"]),
      ("sources", "a, b,,c"),
    ])
    #expect(query["searchIn"] == "title,content")
    #expect(query["excludeDomains"] == "a.example,b.example")
    #expect(query["sources"] == "a,b,c")
  }

  @Test(
    arguments: [
      ("2024-03-01", "2024-03-01"), ("1 March 2024", "2024-03-01"),
      ("Fri, 01 Mar 2024 12:00:00 +0200", "2024-03-01T10:00:00"),
      ("2024-03-01T12:00:00Z", "2024-03-01T12:00:00"),
      ("2024-03-01T12:00:00+02:00", "2024-03-01T10:00:00"),
    ])
  func datesAreSentAsNewsAPIReadsThem(_ written: String, sent: String) async {
    #expect(await query([("from", .text(written))])["from"] == sent)
  }

  @Test func datesMayBeTimesAgo() async throws {
    let days = try #require(await query([("from", "-7d"), ("to", "-1w")])["from"])
    let ago = Instant(microseconds: Instant.now.microseconds - 7 * 86_400_000_000)
    #expect(days == ago.date.iso8601)
    let hours = try #require(await query([("from", "-6h")])["from"])
    #expect(hours.hasSuffix(":00") && hours.contains("T"))
  }

  @Test func whatIsEmptyIsNotSent() async {
    let query = await query([("language", ""), ("sources", []), ("domains", "")])
    #expect(Set(query.keys) == ["q", "pageSize", "page"])
  }

  // MARK: - Incremental

  /// Windows of time, as a source with `incremental` has them.
  final class Windows: AggregateCore.Cursors {
    let sinces: [String]
    let finished = Mutex<[String]>([])
    let left = Mutex<[String]>([])
    init(_ sinces: [String]) { self.sinces = sinces }

    func window(
      after window: Window?, of partition: String
    ) throws -> Window? {
      let index = window.map { $0.index + 1 } ?? 0
      guard index < sinces.count else { return nil }
      return Window(
        index: index, since: sinces[index], until: nil, query: [HTTPField("from", sinces[index])])
    }

    /// The parts whose cursors move.
    var moved: [String] {
      let left = left.withLock { $0 }
      return left.contains("all") ? [] : finished.withLock { $0 }.filter { !left.contains($0) }
    }

    func finish(_ partition: String) { finished.withLock { $0.append(partition) } }

    func leave(_ partition: String) { left.withLock { $0.append(partition) } }

    func leaveAll() { left.withLock { $0.append("all") } }
  }

  private static let incremental: [(String, Written)] = [
    ("api_key", "k"), ("endpoint", "everything"), ("query", "x"), ("from", "2020-01-01"),
    ("incremental", ["cursor": "published_at", "query": "from"]),
  ]

  @Test func anIncrementalSourceAsksForWhatIsNew() async {
    let windows = Windows(["2024-03-01T00:00:00Z", "2024-03-02T00:00:00Z"])
    let client = NewsAPITests.service(total: 150)
    let ran = await News.run(.map(Self.incremental), client: client, cursors: windows)
    #expect(ran.error == nil)
    #expect(ran.rows.count == 150)
    #expect(windows.finished.withLock { $0 } == [""])
    let asked = client.requests.map { request in
      request.url.queryItems.filter { $0.name == "from" }.map(\.value)
    }
    #expect(asked.map(\.count) == [1, 1, 1, 1])
    #expect(asked[0] == ["2024-03-01T00:00:00Z"] && asked[3] == ["2024-03-02T00:00:00Z"])
  }

  @Test func theCursorStaysWhereNotAllWasRead() async {
    for (client, more, maxPages) in [
      (NewsAPITests.service(total: 250), [("limit", "120")], nil),
      (NewsAPITests.service(total: 250), [], 1),
      (NewsAPITests.service(total: 250, most: 100), [], nil),
    ] as [(MemoryClient, [(String, Written)], Int?)] {
      let windows = Windows(["2024-03-01T00:00:00Z"])
      let ran = await News.run(
        .map(Self.incremental + more), client: client, maxPages: maxPages, cursors: windows)
      #expect(ran.error == nil)
      #expect(!ran.rows.isEmpty)
      #expect(windows.moved.isEmpty)
      #expect(windows.left.withLock { $0 }.count == 1)
    }
  }

  // MARK: - Plan

  private func plan(_ options: Written) -> ProviderPlan {
    var diagnostics = Diagnostics()
    return NewsProvider(
      Options(options.node, specs: NewsProvider.spec.options), &diagnostics
    ).plan
  }

  @Test func thePlanTellsPagesAndParts() {
    let paged = plan(["api_key": "k", "country": "us", "limit": "1000"])
    #expect(paged.paging?.kind == "page")
    #expect(
      paged.paging?.parameters.map { "\($0.name) \($0.value)" } == [
        "param page", "first 1", "size_param pageSize", "size 100",
      ])
    #expect(paged.paging?.ends.contains("1000 articles") == true)
    #expect(paged.paging?.ends.contains("the number of articles at totalResults") == true)
    #expect(paged.partitions == 1)
    #expect(paged.authentication == ["api_key in a header"])
    let feeds = plan(["feeds": ["http://a/1", "http://a/2"]])
    #expect(feeds.paging?.kind == "none")
    #expect(feeds.partitions == 2)
    #expect(feeds.authentication.isEmpty)
    let both = plan(["api_key": "k", "country": "us", "feeds": ["http://a/1", "http://a/2"]])
    #expect(both.paging?.kind == "page")
    #expect(both.partitions == 3)
    #expect(plan(["api_key": "k", "endpoint": "sources"]).paging?.kind == "none")
  }
}
