import AggregateCore
import AggregateNews
import Testing

struct NewsOptionsTests {
  @Test(
    arguments: [
      ["api_key": "k", "country": "us"], ["feeds": ["http://a.example/rss"]],
      ["feeds": "http://a.example/rss"],
      ["feeds": ["feed://a.example/rss", "feed:https://a.example/b"]],
      ["service": ["newsapi", "feeds"], "api_key": "k", "query": "x", "feeds": ["http://a/f"]],
      ["api_key": "k", "endpoint": "sources", "language": "en"],
      ["api_key": "k", "endpoint": "everything", "domains": ["a.example"]],
      // Without a key too, so that the samples run.
      ["service": "newsapi", "country": "us"],
    ] as [Written])
  func goodOptionsHaveNoDiagnostics(options: Written) {
    #expect(News.diagnostics(options).isEmpty)
  }

  @Test(
    arguments: [
      ([:], "neither"), (["service": "feeds"], "feeds"), (["api_key": "k"], "country"),
      (["api_key": "k", "endpoint": "everything"], "query"),
      (["api_key": "k", "endpoint": "everything", "query": "x", "country": "us"], "country"),
      (["api_key": "k", "sources": "bbc-news", "country": "us"], "country"),
      (["feeds": ["not an address"]], "not an address"),
      (["api_key": "k", "country": "us", "base_urls": ["newsapi": "nowhere"]], "base_urls"),
      (["api_key": "k", "endpoint": "everything", "query": "x", "from": "soon"], "from"),
      (["service": "twitter"], "service"), (["feeds": "http://a/f", "limit": "0"], "limit"),
      (["feeds": "http://a/f", "kountry": "us"], "kountry"),
      (
        [
          "api_key": "k",
          "sources": .list((1...21).map { .text("s\($0)") }),
        ], "21"
      ),
    ] as [(Written, String)])
  func mistakesAreFoundBeforeAnythingIsAsked(options: Written, word: String) {
    let diagnostics = News.diagnostics(options)
    #expect(diagnostics.contains { $0.severity == .error && $0.message.contains(word) })
  }

  private static let everything: [(String, Written)] = [
    ("api_key", "k"), ("endpoint", "everything"),
  ]

  @Test(
    arguments: [
      ("query", "", "“query” is empty"), ("sources", [], "“sources” is empty"),
      ("sources", " , ", "“sources” is empty"),
      ("query", .text(String(repeating: "é", count: 501)), "501"),
      ("sources", .text((1...22).map { "s\($0)" }.joined(separator: ",")), "22"),
      ("from", "yesterday evening", "“from”"), ("from", "-7x", "“from”"), ("to", "-d", "“to”"),
      ("search_in", "headline", "search_in"), ("service", [], "“service” is empty"),
    ] as [(String, Written, String)])
  func valuesThatNewsAPIRefusesAreFoundWhereTheyStand(
    _ name: String, _ value: Written, message: String
  ) {
    let need: [(String, Written)] = ["query", "sources"].contains(name) ? [] : [("query", "x")]
    let place = SourceLocation(file: "sources.yaml", line: 7, column: 3)
    let found = News.diagnostics(
      .map(Self.everything + need + [(name, value)]), moving: name, to: place)
    let errors = found.filter { $0.severity == .error && $0.message.contains(message) }
    #expect(errors.count == 1, "\(found)")
    #expect(errors.first?.location == place)
    #expect(errors.first?.hint != nil || name == "search_in")
  }

  @Test func fromAfterToIsFound() {
    func errors(_ from: Written, _ to: Written) -> [Diagnostic] {
      News.diagnostics(
        .map(Self.everything + [("query", "x"), ("from", from), ("to", to)]))
    }
    #expect(errors("2024-03-02", "2024-03-01").map(\.code) == ["bad-date"])
    #expect(errors("2024-03-02", "2024-03-01").first?.message.contains("after") == true)
    #expect(errors("2024-03-01T12:00:00Z", "2024-03-01").isEmpty)
    #expect(errors("-7d", "-1d").isEmpty)
    #expect(errors("-1d", "-7d").count == 1)
  }

  @Test func aQueryOfTheLongestLengthIsGood() {
    let query = Written.text(String(repeating: "é", count: 500))
    #expect(News.diagnostics(.map(Self.everything + [("query", query)])).isEmpty)
  }

  @Test(
    arguments: [
      ("q", "query"), ("searchIn", "search_in"), ("excludeDomains", "exclude_domains"),
      ("pageSize", "page_size"), ("apiKey", "api_key"), ("sortBy", "sort_by"), ("urls", "feeds"),
    ])
  func namesOfNewsAPIAreUnderstood(_ written: String, name: String) {
    let found = News.diagnostics(["api_key": "k", "country": "us", written: "x"])
    #expect(found.map(\.hint) == ["did you mean “\(name)”?"])
  }

  @Test(
    arguments: [
      ("query", "x"), ("language", "en"), ("country", "us"), ("endpoint", "everything"),
      ("from", "2024-03-01"), ("page_size", "7"), ("search_in", "title"), ("sources", "bbc-news"),
    ] as [(String, Written)])
  func whatFeedsDoNotTakeIsSaid(_ name: String, _ value: Written) {
    let found = News.diagnostics(
      .map([("service", "feeds"), ("feeds", "http://a/f"), (name, value)]))
    #expect(found.map(\.severity) == [.warning])
    #expect(found.first?.message.contains("“\(name)”") == true)
    #expect(News.diagnostics(.map([("feeds", "http://a/f"), (name, value)])).count == 1)
  }

  @Test func otherOptionsWithoutAnEffectAreSaid() {
    func found(_ more: [(String, Written)]) -> [String] {
      News.diagnostics(.map([("api_key", "k"), ("query", "x")] + more))
        .map { "\($0.severity) \($0.code) \($0.message)" }
    }
    #expect(
      found([("service", "newsapi"), ("feeds", "http://a/f")]).first?
        .hasPrefix("warning unused-key") == true)
    #expect(found([("feeds", ["http://a/f", "http://a/f"])]).first?.contains("twice") == true)
    let cursor: Written = ["cursor": "published_at", "query": "from"]
    #expect(found([("incremental", cursor)]).first?.contains("incremental.query") == true)
    #expect(
      found([("incremental", cursor), ("endpoint", "everything"), ("feeds", "http://a/f")])
        .first?.contains("incremental.query") == true)
    #expect(found([("incremental", cursor), ("endpoint", "everything")]).isEmpty)
    #expect(found([("incremental", ["cursor": "published_at"])]).isEmpty)
    #expect(found([("search_in", "title")]).first?.hasPrefix("error unused-key") == true)
    #expect(found([("exclude_domains", "a.example")]).first?.hasPrefix("error unused-key") == true)
  }

  @Test func everyOptionAndColumnIsDescribed() {
    for option in NewsProvider.spec.options {
      #expect(!option.summary.isEmpty)
      #expect(option.summary.hasSuffix("."))
    }
    #expect(
      NewsProvider.spec.columns.map(\.name) == [
        "title", "description", "author", "publisher", "url", "published_at", "image_url",
        "content", "service", "carried_by", "guid", "categories", "language", "country",
      ])
    #expect(NewsProvider.spec.columns.allSatisfy { $0.description?.hasSuffix(".") == true })
    #expect(NewsProvider.spec.options.first { $0.name == "api_key" }?.isSecret == true)
  }
}
