import AggregateCore
import AggregateNews
import Testing

/// What single answers of NewsAPI become: rows, publications, errors that say what to do.
struct NewsAPIAnswerTests {
  private func run(
    _ body: String, status: Int = 200, headers: [HTTPField] = [], _ more: [(String, Written)] = [],
    policy: ErrorPolicy = .fail
  ) async -> Ran {
    await News.run(
      .map([("api_key", "k-1234567"), ("query", "x")] + more),
      client: MemoryClient { request in
        request.url.authority == "f.example"
          ? .init("<rss><channel><title>F</title><item><title>f</title></item></channel></rss>")
          : .init(body, status: status, headers: headers)
      }, policy: policy)
  }

  private func run(articles: String..., more: [(String, Written)] = []) async -> Ran {
    await run(
      #"{"status":"ok","totalResults":\#(articles.count),"articles":[\#(articles.joined(separator: ","))]}"#,
      more)
  }

  @Test(
    arguments: [
      (#"{"id":"reuters","name":null}"#, "reuters"), (#""Reuters""#, "Reuters"),
      (#"{"id":"reuters","name":"Reuters"}"#, "Reuters"), ("null", ""), ("{}", ""), ("[1]", ""),
    ])
  func thePublisherIsTheNameElseWhatThereIs(_ source: String, publisher: String) async {
    let ran = await run(articles: #"{"title":"T","url":"http://a/1","source":\#(source)}"#)
    #expect(ran.column("publisher") == [publisher])
  }

  @Test(
    arguments: [
      ("Tom &amp; Jerry&#39;s <b>Bold</b> day", "Tom & Jerry's Bold day"),
      ("5 < 6 and AT&T is > 4", "5 < 6 and AT&T is > 4"), ("a  b\\n c", "a b c"),
      ("Tom &amp;amp; Jerry", "Tom &amp; Jerry"), ("What <blink tag> is", "What <blink tag> is"),
    ])
  func titlesArePlainText(_ title: String, plain: String) async {
    let ran = await run(articles: #"{"title":"\#(title)","url":"http://a/1"}"#)
    #expect(ran.column("title") == [plain])
  }

  @Test func publicationsGoByTheirIdentifier() async {
    let body = """
      {"status":"ok","sources":[
        {"id":"google-news","name":"Google News","url":"https://news.google.com"},
        {"id":"google-news-ar","name":"Google News (Argentina)","url":"https://news.google.com"},
        {"id":"a-long-name","name":"A name that two publications have","url":"https://a.example"},
        {"id":"b-long-name","name":"A name that two publications have","url":"https://b.example"},
        {"name":"Bare"}, {"name":"Bare too"},
        {"id":"google-news","name":"Google News","url":"https://news.google.com"}]}
      """
    let ran = await News.run(
      ["api_key": "k", "endpoint": "sources"], client: MemoryClient { _ in .init(body) })
    #expect(
      ran.column("publisher") == [
        "google-news", "google-news-ar", "a-long-name", "b-long-name", "Bare", "Bare too",
      ])
    let some = await News.run(
      ["api_key": "k", "endpoint": "sources", "limit": "2"],
      client: MemoryClient { _ in .init(body) })
    #expect(some.rows.count == 2)
  }

  @Test func moreColumnsAreThereWhenNamed() async {
    let client = MemoryClient { request in
      request.url.authority == "f.example"
        ? .init(
          "<rss><channel><title>F</title><item><title>f</title><guid>7</guid><category>a</category>"
            + "<category>b</category></item></channel></rss>")
        : .init(
          #"{"status":"ok","sources":[{"id":"o","name":"O","category":"science","language":"en","country":"us"}]}"#
        )
    }
    let options: [(String, Written)] = [
      ("service", ["newsapi", "feeds"]), ("api_key", "k"), ("endpoint", "sources"),
      ("feeds", "http://f.example/f"),
    ]
    let all: Written = ["country", "language", "guid", "categories"]
    let ran = await News.run(.map(options + [("more_columns", all)]), client: client)
    #expect(ran.column("guid") == ["o", "7"])
    #expect(ran.column("categories") == [#"["science"]"#, #"["a","b"]"#])
    #expect(ran.column("language") == ["en", ""])
    #expect(ran.column("country") == ["us", ""])
    let one = await News.run(.map(options + [("more_columns", "guid")]), client: client)
    #expect(one.rows.allSatisfy { $0.count == 11 && $0["guid"] != nil })
    #expect(await News.run(.map(options), client: client).rows.allSatisfy { $0.count == 10 })
  }

  @Test func publicationsWhereArticlesAreAskedForAreOnePage() async {
    let ran = await run(#"{"status":"ok","sources":[{"id":"a","name":"A"}]}"#)
    #expect(ran.error == nil)
    #expect(ran.rows.count == 1)
  }

  @Test func publicationsAreNoArticles() async {
    let ran = await News.run(
      [
        "service": ["newsapi", "feeds"], "api_key": "k", "endpoint": "sources",
        "feeds": "http://f.example/f",
      ],
      client: MemoryClient { request in
        request.url.authority == "f.example"
          ? .init(
            "<rss><channel><title>F</title><item><title>A long headline, as long as a name</title>"
              + "<link>https://a.example</link></item></channel></rss>")
          : .init(
            #"{"status":"ok","sources":[{"id":"a","name":"A long headline, as long as a name","url":"https://a.example"}]}"#
          )
      })
    #expect(ran.rows.count == 2)
  }

  @Test func headlinesOfOneAddressAreDifferentArticles() async {
    let ran = await run(
      articles: #"{"title":"One","url":"http://a/1"}"#, #"{"title":"Two","url":"http://a/1"}"#,
      #"{"title":"One","url":"http://www.a/1?utm_source=x"}"#)
    #expect(ran.column("title") == ["One", "Two"])
  }

  @Test func removedArticlesThatAreKeptAreAllKept() async {
    let removed =
      #"{"source":{"name":"[Removed]"},"title":"[Removed]","url":"https://removed.com","publishedAt":"1970-01-01T00:00:00Z"}"#
    let ran = await run(
      articles: removed, removed, removed, removed, more: [("keep_removed", "true")])
    #expect(ran.rows.count == 4)
  }

  @Test func aTimedRefusalKeepsItsCode() async {
    let ran = await run(
      #"{"status":"error","code":"rateLimited","message":"Too fast."}"#, status: 429,
      headers: [HTTPField("Retry-After", "43200")])
    #expect(ran.error?.message.contains("rateLimited: Too fast.") == true)
    #expect(ran.error?.message.contains("quota: 100/day") == true)
  }

  @Test func anEmptyBodyHasNoRowsAndAPageSaysWhatToDo() async {
    let empty = await run("")
    #expect(empty.error == nil && empty.rows.isEmpty)
    #expect(await run("<html></html>").error?.hint != nil)
  }

  // MARK: - Several services

  private static let both: [(String, Written)] = [
    ("service", ["newsapi", "feeds"]), ("feeds", "http://f.example/f"),
  ]

  @Test func aFailureFollowsThePolicy() async {
    let used = #"{"status":"error","code":"apiKeyExhausted","message":"No more."}"#
    for policy in [ErrorPolicy.fail, .skip] {
      let ran = await run(used, status: 429, Self.both, policy: policy)
      #expect(ran.error?.message.contains("apiKeyExhausted") == true)
      #expect(ran.error?.hint?.contains("on_error: partial") == true)
      #expect(ran.rows.isEmpty)
    }
    let partial = await run(used, status: 429, Self.both, policy: .partial)
    #expect(partial.error == nil)
    #expect(partial.column("title") == ["f"])
    #expect(partial.failures.count == 1)
    #expect(partial.failures.first?.source == "news")
    #expect(partial.failures.first?.hint?.contains("on_error") != true)
  }

  @Test func theHintOfAFailingServiceIsTrue() async {
    let alone = await run("", status: 503)
    #expect(alone.error?.hint?.contains("service: [newsapi, feeds]") == true)
    #expect(alone.error?.hint?.contains("on_error: partial") == true)
    let both = await run("", status: 503, Self.both)
    #expect(both.error?.hint?.contains("service: [newsapi, feeds]") == false)
    #expect(both.error?.hint?.contains("on_error: partial") == true)
  }

  @Test func aKeyAndFeedsAreBothReadWithoutService() async {
    let ran = await run(
      #"{"status":"ok","totalResults":1,"articles":[{"title":"n","url":"http://n/1"}]}"#,
      [("feeds", "http://f.example/f")])
    #expect(ran.column("title") == ["n", "f"])
  }

  @Test func aFeedListedTwiceIsAskedOnce() async {
    let client = MemoryClient { _ in
      .init("<rss><channel><title>F</title><item><title>f</title></item></channel></rss>")
    }
    _ = await News.run(
      ["feeds": ["http://f/1", "http://f/2", "http://f/1", "HTTP://F:80/2"]], client: client)
    #expect(client.requests.count == 2)
  }
}
