import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

/// What the cursors of a source make of parts that lag, fail or are cut off.
struct PartCursorTests {
  /// The days of January on which each feed has an item; nil for a feed that is gone.
  private final class Days: Sendable {
    private let feeds = Mutex<[String: [Int]]>([:])

    subscript(feed: String) -> [Int]? {
      get { feeds.withLock { $0[feed] } }
      set { feeds.withLock { $0[feed] = newValue } }
    }
  }

  private let sandbox: GoldenSandbox
  private let server: FixtureServer
  private let days = Days()

  init() throws {
    sandbox = try GoldenSandbox()
    let days = days
    server = try FixtureServer.start { request in
      let name = String(request.path.dropFirst())
      if name.hasSuffix("top-headlines") {
        return .json(
          #"{"status": "ok", "totalResults": 1, "articles": [{"title": "Of NewsAPI", "#
            + #""url": "https://n.example/1", "publishedAt": "2024-01-20T00:00:00Z"}]}"#)
      }
      guard let found = days[name] else { return .json("{}", status: 404) }
      let first = (Int(request.query("page") ?? "1") ?? 1) * 2 - 2
      if request.query("page") != nil {
        let page = found.dropFirst(first).prefix(2).map { #"{"id": \#($0)}"# }
        return .json("[\(page.joined(separator: ","))]")
      }
      let items = found.map { day in
        #"{"id": "\#(name)\#(day)", "url": "https://\#(name).example/\#(day)","#
          + #""title": "Item \#(day) of \#(name)", "date_published": "2024-01-\#(day + 10)T00:00:00Z"}"#
      }
      return .json(
        #"{"version": "https://jsonfeed.org/version/1.1", "title": "\#(name)", "items": ["#
          + "\(items.joined(separator: ","))]}")
    }
    let yaml = """
      version: 1
      sources:
        news:
          provider: news
          feeds: ["\(server.baseURL)/a", "\(server.baseURL)/b"]
          cache: off
          incremental: { cursor: published_at, key: url }
        both:
          provider: news
          service: [newsapi, feeds]
          api_key: k3y-of-newsapi
          country: us
          feeds: ["\(server.baseURL)/gone", "\(server.baseURL)/a"]
          base_urls: { newsapi: "\(server.baseURL)" }
          cache: off
          incremental: { cursor: published_at, key: url }
        creatures:
          provider: pokemon
          names: [squirtle, bulbasaur]
          incremental: { cursor: id }
        shakes:
          provider: earthquakes
          incremental: { cursor: time }
        pages:
          provider: rest
          url: \(server.baseURL)/p
          paginate: { page: { param: page } }
          cache: off
          columns: { id: $.id }
          incremental: { cursor: id }
      """
    try Data(yaml.utf8).write(to: sandbox.work.appending(path: "sources.yaml"))
  }

  private func lines(_ command: String, exit wanted: Int32 = 0) async throws -> [String] {
    let (rows, exit) = try await sandbox.rows(of: command)
    #expect(exit == wanted)
    return rows
  }

  private func news(_ options: String = "", exit: Int32 = 0) async throws -> [String] {
    try await lines("news \(options) --select url", exit: exit)
      .map { $0.replacing("https://", with: "").replacing(".example/", with: "") }
  }

  @Test func itemsWithAKeyAreGivenOnce() async throws {
    days["a"] = [3, 2, 1]
    days["b"] = [2]
    #expect(try await news() == ["a3", "a2", "a1", "b2"])
    #expect(try await news() == [])
    days["a"] = [4, 3]
    #expect(try await news() == ["a4"])
  }

  @Test func feedThatLagsBehindTheOtherLosesNothing() async throws {
    days["a"] = [10]
    days["b"] = [5]
    #expect(try await news() == ["a10", "b5"])
    days["b"] = [9, 5]
    #expect(try await news() == ["b9"])
  }

  @Test func feedThatFailsLosesNothing() async throws {
    days["a"] = [10]
    #expect(try await news("--on-error partial", exit: 3) == ["a10"])
    days["a"] = [11, 10]
    days["b"] = [5]
    #expect(try await news() == ["a11", "b5"])
  }

  @Test func feedThatFailsDoesNotHoldUpTheOtherServices() async throws {
    days["a"] = [10]
    let command = "both --on-error partial --select url"
    #expect(
      try await lines(command, exit: 3) == ["https://n.example/1", "https://a.example/10"])
    #expect(try await lines(command, exit: 3) == [])
  }

  @Test func limitLosesNothing() async throws {
    days["a"] = [5, 4, 3, 2, 1]
    days["b"] = []
    #expect(try await news("-p limit=2") == ["a5", "a4"])
    #expect(try await news() == ["a5", "a4", "a3", "a2", "a1"])
    #expect(try await news() == [])
  }

  @Test func limitOfOtherProvidersLosesNothing() async throws {
    #expect(try await lines("creatures -p limit=1 --sample --select id") == ["7"])
    #expect(try await lines("creatures --sample --select id") == ["7", "1"])
    #expect(try await lines("shakes -p limit=1 --sample --select id").count == 1)
    #expect(try await lines("shakes --sample --select id").count > 1)
  }

  @Test func maxPagesLosesNothing() async throws {
    days["p"] = [1, 2, 3, 4, 5]
    #expect(try await lines("pages --max-pages 1") == ["1", "2"])
    #expect(try await lines("pages") == ["1", "2", "3", "4", "5"])
    #expect(try await lines("pages") == [])
  }

  @Test func provenanceTellsTheFeedOfEachItem() async throws {
    days["a"] = [1]
    days["b"] = [2]
    let rows = try await lines("news --provenance --select _source,_url,title,url,published_at")
    let base = server.baseURL
    #expect(
      rows == [
        "news,\(base)/a,Item 1 of a,https://a.example/1,2024-01-11T00:00:00Z",
        "news,\(base)/b,Item 2 of b,https://b.example/2,2024-01-12T00:00:00Z",
      ])
  }
}
