import AggregateCore
import AggregateNews
import Testing

/// NewsAPI and feeds as one source: each article once, by address, then identifier, then headline.
struct NewsMergingTests {
  struct Article: Sendable {
    var title = "Slow glass is stronger than anybody thought"
    var url = "http://times.example/1"
    var publisher = "Times"
    var date = "2024-03-01T10:00:00Z"
    var removed = false

    var json: String {
      #"{"source":{"id":null,"name":"\#(publisher)"},"author":null,"title":"\#(title)","url":"\#(url)","publishedAt":"\#(date)"}"#
    }
  }

  private func run(_ articles: [Article], _ items: [ArticleMergerTests.Item]) async -> Ran {
    let json =
      #"{"status":"ok","totalResults":\#(articles.count),"articles":[\#(articles.map(\.json).joined(separator: ","))]}"#
    let rss =
      "<rss><channel><title>Wire</title>\(items.map(\.xml).joined())</channel></rss>"
    return await News.run(
      [
        "service": ["newsapi", "feeds"], "api_key": "k", "country": "us",
        "feeds": ["http://wire.example/rss"],
      ],
      client: MemoryClient { request in
        request.url.authority == "wire.example"
          ? .init(rss, contentType: "application/rss+xml") : .init(json)
      })
  }

  /// What the one article of NewsAPI and the one item of the feed have in common.
  struct Pair: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var article = Article()
    var item = ArticleMergerTests.Item(
      title: "Something else altogether, at some length", link: "http://wire.example/9")
    let isOne: Bool

    init(_ name: String, isOne: Bool, _ change: (inout Pair) -> Void) {
      (testDescription, self.isOne) = (name, isOne)
      change(&self)
    }
  }

  static let pairs: [Pair] = [
    Pair("nothing", isOne: false) { _ in },
    // By address.
    Pair("the address", isOne: true) { $0.item.link = "http://times.example/1" },
    Pair("the address but for what does not matter", isOne: true) {
      $0.item.link = "https://www.Times.example:443/1/?utm_campaign=x&amp;fbclid=2#top"
    },
    Pair("the address but for a parameter", isOne: false) {
      $0.item.link = "http://times.example/1?page=2"
    },
    Pair("the address but for the host", isOne: false) { $0.item.link = "http://m.example/1" },
    // By identifier.
    Pair("the address as identifier", isOne: true) {
      $0.item.link = "http://counting.example/~r/1"
      $0.item.guid = "https://times.example/1?utm_source=feed"
    },
    Pair("only the site as identifier", isOne: false) {
      $0.article.url = "http://times.example/"
      $0.item.guid = "http://times.example"
    },
    // By headline.
    Pair("the headline", isOne: true) { $0.item.title = $0.article.title },
    Pair("the headline but for letters and signs", isOne: true) {
      $0.item.title = "SLOW glass is “stronger” than anybody thought!"
    },
    Pair("the headline with its publication", isOne: true) {
      $0.article.title += " - Times"
      $0.item.title = Article().title
    },
    Pair("the headline, days apart", isOne: false) {
      $0.item.title = $0.article.title
      $0.item.date = "2024-03-09T10:00:00Z"
    },
    Pair("the headline, two days apart", isOne: true) {
      $0.item.title = $0.article.title
      $0.item.date = "2024-03-03T09:00:00Z"
    },
    Pair("the headline with an edition of its publication", isOne: true) {
      $0.article.title += " - Times International"
      $0.item.title = Article().title
    },
    Pair("the headline, with markup", isOne: true) {
      $0.article.title = "Slow &amp; clear <b>glass</b> is stronger&#33; — Times"
      $0.item.title = "Slow &amp; clear glass is stronger!"
    },
    Pair("a headline that says nothing", isOne: false) {
      $0.article.title = "Live updates"
      $0.item.title = "Live updates"
    },
    Pair("a headline that says nothing, and the address", isOne: true) {
      $0.article.title = "Live updates"
      $0.item.title = "Live updates"
      $0.item.link = "http://times.example/1"
    },
  ]

  @Test(arguments: pairs)
  func whatIsInCommonDecides(_ pair: Pair) async {
    let ran = await run([pair.article], [pair.item])
    #expect(ran.error == nil)
    #expect(ran.rows.count == (pair.isOne ? 1 : 2))
    #expect(ran.column("service") == (pair.isOne ? ["newsapi"] : ["newsapi", "feeds"]))
    let carriers = ran.rows.first?["carried_by"]
    #expect(
      carriers == .json(pair.isOne ? #"["Times","Wire"]"# : #"["\#(pair.article.publisher)"]"#))
  }

  @Test func aPublicationsOwnFeedMeetsItsArticlesAtNewsAPI() async {
    let ran = await run(
      [Article(url: "https://www.wire.example.org/1", publisher: "Wire")],
      [.init(title: Article().title, link: "http://wire.example/1?at_medium=RSS")])
    #expect(ran.column("carried_by") == [#"["Wire"]"#])
  }

  @Test func everyLevelInOneRun() async {
    let ran = await run(
      [
        Article(), Article(title: "The second thing that happened", url: "http://times.example/2"),
        Article(title: "A long headline about the harbour", url: "http://times.example/3"),
        Article(title: "Live updates", url: "http://times.example/live"),
      ],
      [
        .init(title: "Glass", link: "https://times.example/1?utm_medium=rss"),
        .init(title: "Second", link: "http://c.example/2", guid: "http://times.example/2"),
        .init(title: "A long headline about the harbour", link: "http://wire.example/3"),
        .init(title: "Live updates", link: "http://wire.example/live"),
        .init(
          title: "A long headline about the harbour", link: "http://wire.example/8",
          date: "2024-03-20T10:00:00Z"),
      ])
    #expect(
      ran.column("carried_by") == [
        #"["Times","Wire"]"#, #"["Times","Wire"]"#, #"["Times","Wire"]"#, #"["Times"]"#,
        #"["Wire"]"#, #"["Wire"]"#,
      ])
    #expect(Set(ran.column("url")).count == 6)
  }

  @Test func everyCodeOfNewsAPISaysWhatToDoInItsOwnWords() async throws {
    let codes: [(code: String, status: Int, advice: String)] = [
      ("apiKeyMissing", 401, "https://newsapi.org/register"),
      ("apiKeyInvalid", 401, "check api_key"),
      ("apiKeyDisabled", 401, "https://newsapi.org/account"),
      ("apiKeyExhausted", 429, "wait for the next day"), ("rateLimited", 429, "quota: 100/day"),
      ("parameterInvalid", 400, "check the options"),
      ("parametersMissing", 400, "top-headlines takes"),
      ("sourcesTooMany", 400, "at most 20 sources"),
      ("sourceDoesNotExist", 400, "endpoint: sources"),
      ("corsNotAllowed", 426, "your own machine"),
    ]
    var shown: Set<String> = []
    for (code, status, advice) in codes {
      let ran = await News.run(
        ["api_key": "k", "country": "us"],
        client: MemoryClient { _ in
          .init(#"{"status":"error","code":"\#(code)","message":"No."}"#, status: status)
        })
      let message = try #require(ran.error?.message)
      #expect(message.contains("\(status)") && message.contains("\(code): No."))
      #expect(message.contains(advice), "\(message)")
      shown.insert(message)
    }
    #expect(shown.count == codes.count)
  }
}
