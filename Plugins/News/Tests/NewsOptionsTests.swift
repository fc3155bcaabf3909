import AggregateCore
import AggregateNews
import Testing

struct NewsOptionsTests {
  @Test(
    arguments: [
      ["api_key": "k", "country": "us"], ["feeds": ["http://a.example/rss"]],
      ["feeds": "http://a.example/rss"],
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

  @Test func everyOptionAndColumnIsDescribed() {
    for option in NewsProvider.spec.options {
      #expect(!option.summary.isEmpty)
      #expect(option.summary.hasSuffix("."))
    }
    #expect(
      NewsProvider.spec.columns.map(\.name) == [
        "title", "description", "author", "publisher", "url", "published_at", "image_url",
        "content", "service", "carried_by",
      ])
    #expect(NewsProvider.spec.columns.allSatisfy { $0.description?.hasSuffix(".") == true })
    #expect(NewsProvider.spec.options.first { $0.name == "api_key" }?.isSecret == true)
  }
}
