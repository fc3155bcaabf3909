public import AggregateCore
internal import AggregateFeeds

extension NewsProvider {
  /// Options, columns, example and samples.
  public static let spec = ProviderSpec(
    "news", "News articles from NewsAPI and from RSS, Atom and JSON feeds, each once.",
    options: [
      OptionSpec(
        "service", .list(of: .choice(Service.allCases.map(\.rawValue)), orSingle: true),
        "Where articles come from; by default newsapi with an api_key, feeds with feeds, or both.",
        example: "[newsapi, feeds]"),
      OptionSpec(
        "endpoint", .choice(NewsAPIEndpoint.Kind.allCases.map(\.rawValue)),
        default: "top-headlines", "Which list of NewsAPI is read.", example: "everything"),
      OptionSpec(
        "api_key", .text, secret: true,
        "The key of NewsAPI; a free one is at https://newsapi.org/register.",
        example: "${NEWSAPI_KEY}"),
      OptionSpec(
        "country", .text, "The country of the headlines, as two letters.", example: "us"),
      OptionSpec(
        "category",
        .choice([
          "business", "entertainment", "general", "health", "science", "sports", "technology",
        ]), "The subject of the headlines.", example: "science"),
      OptionSpec(
        "query", .text,
        "Words that must occur; NewsAPI understands quotes, AND, OR, NOT and parentheses.",
        example: "'\"solar power\" AND storage'", aliases: ["q"]),
      OptionSpec(
        "search_in", .list(of: .choice(["title", "description", "content"]), orSingle: true),
        "Where the words of endpoint everything must occur; everywhere by default.",
        example: "[title, description]"),
      OptionSpec(
        "sources", .list(of: .text, orSingle: true),
        "Identifiers of publications, at most 20; endpoint: sources lists them.",
        example: "[bbc-news, reuters]"),
      OptionSpec(
        "domains", .list(of: .text, orSingle: true),
        "Sites that the articles of endpoint everything must come from.",
        example: "[bbc.co.uk, techcrunch.com]"),
      OptionSpec(
        "exclude_domains", .list(of: .text, orSingle: true),
        "Sites that the articles of endpoint everything must not come from.",
        example: "[example.com]"),
      OptionSpec("language", .text, "The language, as two letters.", example: "en"),
      OptionSpec(
        "from", .text,
        "The earliest date or time, or how long ago it is, such as -7d, for endpoint everything.",
        example: "2024-03-01"),
      OptionSpec(
        "to", .text,
        "The latest date or time, or how long ago it is, such as -1d, for endpoint everything.",
        example: "2024-03-31"),
      OptionSpec(
        "sort_by", .choice(["publishedAt", "relevancy", "popularity"]),
        "The order of the results of endpoint everything; NewsAPI's own is publishedAt.",
        example: "relevancy"),
      OptionSpec(
        "page_size", .int(1...NewsAPIEndpoint.largestPage),
        "How many articles NewsAPI sends per request; by default as many as the limit needs.",
        example: "50"),
      OptionSpec(
        "limit", .int(1...Int.max),
        "The most articles in all, each counted once; reading stops when they are there.",
        example: "200"),
      OptionSpec(
        "feeds", .list(of: .text, orSingle: true),
        "Addresses of feeds, or of web pages that name their feed.",
        example: "[https://www.theguardian.com/world/rss]", aliases: ["url", "urls"]),
      OptionSpec(
        "more_columns", .list(of: .choice(NewsSchema.more.map(\.name)), orSingle: true),
        "Columns that are only there when named: of items of feeds, and of endpoint sources.",
        example: "[guid, categories]"),
      OptionSpec(
        "keep_removed", .bool, default: "false",
        "Whether articles that NewsAPI marks “[Removed]” are kept.", example: "true"),
      OptionSpec(
        "base_urls",
        .object([
          OptionSpec(
            "newsapi", .text, default: NewsOptions.defaultBase, "The address of NewsAPI.",
            example: "http://localhost:8080/v2")
        ]), "Addresses of mirrors, proxies or test servers that stand in for the services.",
        example: "{ newsapi: http://localhost:8080/v2 }"),
    ],
    columns: NewsSchema.published.columns + NewsSchema.more,
    discussion: """
      NewsAPI (https://newsapi.org) needs a key, which is sent in a header and never stands in an \
      address. Its free plan gives 100 requests a day and 100 results per query; what is beyond is \
      left out with a warning.

      Feeds need no key: RSS 0.9x, 1.0 and 2.0, Atom and JSON Feed are read, malformed ones as far \
      as they make sense. The address of a web page works when the page names its feed.

      An article that several carry is one row, and “carried_by” lists who; what the first lacks is \
      taken from the others. It is the same by its address (counting parameters, www and the scheme do \
      not matter), by an identifier that is an address or a URN, or by its headline: of 20 letters or \
      digits (a Chinese, Japanese or Korean character counts two), within three days, from another \
      service or publication. Different items of one feed stay different.

      NewsAPI is asked page after page until “totalResults” are there. Pages that repeat themselves end \
      the run with exit 4. “incremental: { query: from }” is sent at “endpoint: everything”.

      With “endpoint: sources” each row is a publication: “title” is its name, “publisher” the \
      identifier that the option “sources” takes, “content” its category, language and country.
      """,
    example: """
      news:
        provider: news
        service: [newsapi, feeds]
        api_key: ${NEWSAPI_KEY}
        country: us
        limit: 200
        feeds:
          - https://www.theguardian.com/world/rss
          - https://feeds.bbci.co.uk/news/world/rss.xml
      """,
    samples: [
      ProviderSpec.Sample(matching: ["/top-headlines/sources"]) { PackageResources.sources_json },
      ProviderSpec.Sample(matching: ["/top-headlines"]) { PackageResources.top_headlines_json },
      ProviderSpec.Sample(matching: ["/everything"]) { PackageResources.everything_json },
      ProviderSpec.Sample(matching: ["atom"], contentType: "application/atom+xml") {
        PackageResources.atom_xml
      },
      // Whatever else has a path is a feed.
      ProviderSpec.Sample(matching: ["/"], contentType: "application/rss+xml") {
        PackageResources.rss_xml
      },
    ])
}
