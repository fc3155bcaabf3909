import AggregateCore
import AggregateNews
import Testing

struct NewsFeedsTests {
  static func rss(_ name: String) -> String {
    """
    <rss version="2.0"><channel><title>\(name)</title>
    <item><title>First &amp; best</title><link>http://feed.example/1\(name)</link>
    <guid>g1\(name)</guid><pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate></item>
    <item><title>Second</title><link>/2\(name)</link><guid>g2\(name)</guid>
    <pubDate>Tue, 02 Jan 2024 10:00:00 +0200</pubDate></item></channel></rss>
    """
  }

  @Test(arguments: [1, 2, 8])
  func feedsComeInTheirOrder(jobs: Int) async {
    let client = MemoryClient { request in
      .init(Self.rss(request.url.path), contentType: "application/rss+xml")
    }
    let feeds = (0..<6).map { "http://feed.example/f\($0)" }
    let ran = await News.run(
      ["feeds": .list(feeds.map { .text($0) })], client: client, jobs: jobs)
    #expect(ran.error == nil)
    #expect(ran.column("publisher") == (0..<6).flatMap { ["/f\($0)", "/f\($0)"] })
    #expect(ran.rows[1]["url"] == .text("http://feed.example/2/f0"))
    #expect(ran.rows[1]["published_at"] == .text("2024-01-02T08:00:00Z"))
    #expect(ran.rows[0]["service"] == .text("feeds"))
  }

  @Test func aPageLeadsToItsFeed() async {
    let client = MemoryClient { request in
      request.url.path == "/feed.xml"
        ? .init(Self.rss("/x"), contentType: "application/rss+xml")
        : .init(
          """
          <!doctype html><html><head><title>P</title>
          <link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>
          """, contentType: "text/html")
    }
    let ran = await News.run(["feeds": "http://feed.example/page"], client: client)
    #expect(ran.error == nil)
    #expect(ran.rows.count == 2)
    #expect(client.requests.map(\.url.path) == ["/page", "/feed.xml"])
  }

  private static func page(_ links: [String]) -> MemoryClient.Answer {
    let links = links.map {
      "<link rel='alternate' type='application/rss+xml' href='\($0)'>"
    }
    return .init(
      "<!doctype html><html><head>\(links.joined())</head></html>", contentType: "text/html")
  }

  @Test func pagesThatLeadToPagesAreFollowed() async {
    let client = MemoryClient { request in
      switch request.url.path {
      case "/feed.xml": .init(Self.rss("/x"), contentType: "application/rss+xml")
      case "/5": Self.page(["/feed.xml"])
      case let path: Self.page(["/\((Int(path.dropFirst()) ?? 0) + 1)"])
      }
    }
    let ran = await News.run(["feeds": "http://feed.example/1"], client: client)
    #expect(ran.error == nil)
    #expect(ran.rows.count == 2)
    #expect(client.requests.count == 6)
    let far = await News.run(["feeds": "http://feed.example/0"], client: client)
    #expect(far.error?.code == .badData)
    #expect(far.error?.message.contains("a web page (HTML) was received") == true)
    #expect(far.rows.isEmpty)
  }

  @Test(arguments: [["/page"], ["/page#x", ""], ["/other"], ["/other", "/page"]])
  func circlesOfPagesAreAnError(_ links: [String]) async {
    let client = MemoryClient { request in
      Self.page(request.url.path == "/other" ? ["/page", "/other"] : links)
    }
    let ran = await News.run(["feeds": "http://feed.example/page"], client: client)
    #expect(ran.error?.code == .badData)
    #expect(ran.error?.message.contains("a web page (HTML) was received") == true)
    #expect(ran.error?.hint?.contains("is a page as well") == true)
    #expect(client.requests.count <= 2)
  }

  @Test func theFeedThatIsNoFeedOfCommentsIsRead() async {
    let client = MemoryClient { request in
      request.url.path == "/feed"
        ? .init(Self.rss("/x"), contentType: "application/rss+xml")
        : Self.page(["/comments/feed", "/page", "/feed"])
    }
    let ran = await News.run(["feeds": "http://feed.example/page"], client: client)
    #expect(ran.rows.count == 2)
    #expect(client.requests.map(\.url.path) == ["/page", "/feed"])
  }

  @Test func whatIsNoFeedIsNamedWithItsAddress() async {
    let ran = await News.run(
      ["feeds": "http://feed.example/page"],
      client: MemoryClient { _ in .init("<html><body>x</body></html>", contentType: "text/html") })
    #expect(ran.error?.code == .badData)
    #expect(ran.error?.message.contains("http://feed.example/page") == true)
    #expect(ran.error?.message.contains("web page") == true)
  }

  @Test func anUnreadableDateIsReportedAndNull() async {
    let ran = await News.run(
      ["feeds": "http://feed.example/f"],
      client: MemoryClient { _ in
        .init("<rss><channel><item><title>x</title><pubDate>soon</pubDate></item></channel></rss>")
      })
    #expect(ran.rows.count == 1)
    #expect(ran.rows[0]["published_at"] == .null)
  }

  @Test func theSamplesAnswerEveryService() async {
    let client = MemoryClient { request in
      let address = "\(request.url.authority)\(request.url.path)"
      let sample = NewsProvider.spec.samples.first { $0.matching.allSatisfy(address.contains) }
      return .init(sample?.body() ?? [], contentType: sample?.contentType ?? "")
    }
    for endpoint in ["top-headlines", "everything", "sources"] {
      let ran = await News.run(
        ["service": "newsapi", "api_key": "k", "endpoint": .text(endpoint), "query": "x"],
        client: client)
      #expect(ran.error == nil)
      #expect(!ran.rows.isEmpty)
    }
    let both = await News.run(
      [
        "service": ["newsapi", "feeds"], "api_key": "k", "country": "us",
        "feeds": ["https://a.example/rss.xml", "https://a.example/atom.xml"],
      ], client: client)
    #expect(both.error == nil)
    #expect(both.rows.count == 7)
    #expect(
      both.rows[1]["carried_by"] == .json(#"["The Example Times","Sample Street Journal"]"#))
    #expect(both.rows[1]["author"] == .text("Tove Berg"))
    #expect(both.rows[5]["title"] == .text("Why slow glass is strong"))
    #expect(both.rows[5]["url"] == .text("https://lab-notes.example/2024/slow-glass"))
  }
}
