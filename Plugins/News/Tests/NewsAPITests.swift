import AggregateCore
import AggregateTestSupport
import Foundation
import Synchronization
import Testing

@testable import AggregateNews

struct NewsAPITests {
  static func article(_ i: Int) -> String {
    """
    {"source": {"id": null, "name": "Paper \(i % 3)"}, "author": null, "title": "Title \(i)",
     "description": "Text \(i)", "url": "http://news.example/\(i)", "urlToImage": null,
     "publishedAt": "2024-03-01T00:00:\(String(format: "%02d", i % 60))Z", "content": "a\\r\\nb"}
    """
  }

  /// Answers like NewsAPI with `total` articles; beyond `most` results like its free plan.
  static func service(total: Int, most: Int = .max) -> MemoryClient {
    MemoryClient { request in
      let query = Dictionary(
        request.url.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
      let size = Int(query["pageSize"] ?? "") ?? 20
      let page = Int(query["page"] ?? "") ?? 1
      if page * size > most {
        return .init(
          #"{"status":"error","code":"maximumResultsReached","message":"Too many."}"#, status: 426)
      }
      let last = min(total, page * size)
      let first = (page - 1) * size + 1
      let articles = first <= last ? (first...last).map(article) : []
      return .init(
        #"{"status":"ok","totalResults":\#(total),"articles":[\#(articles.joined(separator: ","))]}"#
      )
    }
  }

  @Test func readsAllPagesInOrder() async {
    let client = Self.service(total: 250)
    let ran = await News.run(["api_key": "k-1234567", "country": "us"], client: client)
    #expect(ran.error == nil)
    #expect(ran.column("title") == (1...250).map { "Title \($0)" })
    #expect(client.requests.count == 3)
    #expect(ran.rows[0]["service"] == .text("newsapi"))
    #expect(ran.rows[0]["author"] == .null)
    #expect(ran.rows[0]["content"] == .text("a\nb"))
    #expect(ran.rows[0]["published_at"] == .text("2024-03-01T00:00:01Z"))
    #expect(ran.rows[0]["carried_by"] == .json(#"["Paper 1"]"#))
  }

  @Test func theKeyIsInAHeaderAndInNoAddress() async {
    let client = Self.service(total: 1)
    _ = await News.run(["api_key": "k-1234567", "country": "us"], client: client)
    #expect(
      client.requests[0].credentials == [.header(name: "X-Api-Key", value: "k-1234567")])
    #expect(!client.requests[0].url.description.contains("k-1234567"))
    #expect(
      client.requests[0].url.description
        == "https://newsapi.org/v2/top-headlines?country=us&pageSize=100&page=1")
  }

  @Test(arguments: [1, 5, 20, 100, 101, 150])
  func theLimitStopsPaging(limit: Int) async {
    let client = Self.service(total: 250)
    let ran = await News.run(
      ["api_key": "k", "country": "us", "limit": .text("\(limit)")], client: client)
    #expect(ran.rows.count == limit)
    #expect(client.requests.count == (limit + 99) / 100)
  }

  @Test func whoeverHasEnoughStopsThePaging() async {
    let client = Self.service(total: 1000)
    let ran = await News.run(
      ["api_key": "k", "country": "us", "page_size": "10"], client: client, enough: 15)
    #expect(ran.rows.count == 20)
    #expect(client.requests.count <= 8)
  }

  @Test(arguments: [1, 7, 100])
  func pageSizeDoesNotChangeTheRows(size: Int) async {
    let ran = await News.run(
      ["api_key": "k", "country": "us", "page_size": .text("\(size)")],
      client: Self.service(total: 20))
    #expect(ran.column("title") == (1...20).map { "Title \($0)" })
  }

  @Test func whatThePlanCutsOffIsAWarning() async {
    let ran = await News.run(
      ["api_key": "k", "endpoint": "everything", "query": "x"],
      client: Self.service(total: 250, most: 100))
    #expect(ran.error == nil)
    #expect(ran.rows.count == 100)
    #expect(ran.warnings.contains { $0.contains("Too many.") })
  }

  @Test func queryParametersAreNamedAsTheServiceNamesThem() async {
    let client = Self.service(total: 1)
    _ = await News.run(
      [
        "api_key": "k", "endpoint": "everything", "query": "a b", "sources": ["x", "y"],
        "language": "en", "from": "2024-01-01", "to": "2024-01-31",
        "base_urls": ["newsapi": "http://localhost:1/n/"],
      ], client: client)
    #expect(
      client.requests[0].url.description
        == "http://localhost:1/n/everything?sources=x%2Cy&q=a%20b&language=en&from=2024-01-01"
        + "&to=2024-01-31&pageSize=100&page=1")
  }

  @Test func removedArticlesAreLeftOutUnlessAskedFor() async {
    let body = """
      {"status": "ok", "totalResults": 2, "articles": [
        {"source": {"id": null, "name": "[Removed]"}, "author": null, "title": "[Removed]",
         "description": "[Removed]", "url": "https://removed.com", "urlToImage": null,
         "publishedAt": "1970-01-01T00:00:00Z", "content": "[Removed]"}, \(Self.article(1))]}
      """
    let options: Written = ["api_key": "k", "country": "us"]
    #expect(await News.run(options, client: MemoryClient { _ in .init(body) }).rows.count == 1)
    let kept: Written = ["api_key": "k", "country": "us", "keep_removed": "true"]
    #expect(await News.run(kept, client: MemoryClient { _ in .init(body) }).rows.count == 2)
  }

  @Test func somethingElseThanNewsAPIIsNamed() async {
    let ran = await News.run(
      ["api_key": "k", "country": "us"], client: MemoryClient { _ in .init(#"{"a": 1}"#) })
    #expect(ran.error?.code == .badData)
    #expect(ran.error?.message.contains("articles") == true)
  }

  @Test(arguments: ["null", "1", "[]", "\"x\""])
  func whatIsNoArticleIsNamed(_ element: String) async {
    for list in ["articles", "sources"] {
      let ran = await News.run(
        ["api_key": "k", "country": "us"],
        client: MemoryClient { _ in
          .init(#"{"status":"ok","totalResults":1,"\#(list)":[\#(element)]}"#)
        })
      #expect(ran.error?.code == .badData)
      #expect(ran.error?.message.contains("the list “\(list)” has ") == true)
      #expect(ran.rows.isEmpty)
    }
  }

  @Test func missingKeyIsRefusedBeforeAnythingIsAsked() async {
    let options: [Written] = [
      ["service": "newsapi", "country": "us"],
      ["service": "newsapi", "country": "us", "api_key": ""],
      ["service": ["feeds", "newsapi"], "country": "us", "feeds": ["http://f.example/a"]],
    ]
    for options in options {
      let asked = Mutex(0)
      let ran = await News.run(
        options,
        client: MemoryClient { _ in
          asked.withLock { $0 += 1 }
          return .init(#"{"status":"ok","articles":[]}"#)
        })
      #expect(ran.error?.code == .configuration)
      #expect(ran.error?.message == "newsapi needs a key, and “api_key” is not set")
      #expect(ran.error?.hint?.contains("https://newsapi.org/register") == true)
      #expect(ran.error?.hint?.contains("api_key: ${NEWSAPI_KEY}") == true)
      #expect(asked.withLock { $0 } == 0)
    }
  }

  @Test func anErrorInsideAGoodAnswerIsAnError() async {
    let ran = await News.run(
      ["api_key": "k", "country": "us"],
      client: MemoryClient { _ in
        .init(#"{"status":"error","code":"sourceDoesNotExist","message":"No such source."}"#)
      })
    #expect(ran.error?.code == .rejected)
    #expect(ran.error?.message.contains("No such source.") == true)
  }

  @Test func rowsBeforeAFailureAreEmitted() async {
    let ran = await News.run(
      ["api_key": "k", "country": "us", "page_size": "10"],
      client: MemoryClient { request in
        if request.url.description.contains("page=2") { return .init("", status: 500) }
        let articles = (1...10).map(Self.article).joined(separator: ",")
        return .init(#"{"status":"ok","totalResults":50,"articles":[\#(articles)]}"#)
      })
    #expect(ran.error?.code == .unavailable)
    #expect(ran.rows.count == 10)
  }

  @Test(.corpus("newsapi"))
  func everySavedPageIsDecoded() async throws {
    for folder in ["top-headlines", "everything", "sources"] {
      let files = SavedAnswers.files(folder)
      #expect(!files.isEmpty, "\(folder)")
      for file in files {
        let bytes = try SavedAnswers.bytes("\(folder)/\(file)")
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let entries = try #require(
          (object["articles"] ?? object["sources"]) as? [[String: Any]])
        let wanted = entries.filter { $0["title"] as? String != "[Removed]" }
        // One of them is there twice, with the parameters of a feed.
        let urls = Set(
          wanted.compactMap { ($0["url"] as? String).flatMap(ArticleAddress.canonical) })
        let ran = await News.run(
          ["api_key": "k", "endpoint": .text(folder), "query": "x"],
          client: MemoryClient { _ in .init(bytes) }, maxPages: 1)
        #expect(ran.error == nil, "\(file)")
        #expect(
          Set(ran.column("url").compactMap(ArticleAddress.canonical)) == urls, "\(file)")
        if folder != "sources" {
          #expect(!ran.column("published_at").contains(""), "\(file)")
        }
      }
    }
  }

  @Test(.corpus("newsapi"))
  func everySavedErrorSaysWhatToDo() async throws {
    var messages: Set<String> = []
    for file in SavedAnswers.files("errors") where !file.hasPrefix("maximumResultsReached") {
      let bytes = try SavedAnswers.bytes("errors/\(file)")
      let parts = file.split(separator: ".")
      let status = try #require(Int(parts[1]))
      let ran = await News.run(
        ["api_key": "k-1234567", "country": "us"],
        client: MemoryClient { _ in .init(bytes, status: status) })
      let message = try #require(ran.error?.message)
      #expect(message.contains("\(status)"))
      #expect(message.contains(parts[0].split(separator: "_")[0]))
      #expect(message.contains(" ("), "\(file) says what to do")
      #expect(!message.contains("k-1234567"))
      messages.insert(message)
    }
    #expect(messages.count == 7)
  }
}
