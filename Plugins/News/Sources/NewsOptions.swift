internal import AggregateCore
internal import AggregateFeeds

/// The options of a news source, understood; mistakes go to the diagnostics.
struct NewsOptions {
  private(set) var services: [NewsProvider.Service] = []
  private(set) var newsAPI: NewsAPIService
  private(set) var feeds: FeedsService
  let limit: Int?
  /// The columns of the rows.
  let schema: Schema

  static let defaultBase = "https://newsapi.org/v2"

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    limit = options.int("limit")
    let more = options.texts("more_columns") ?? []
    schema = Schema(
      NewsSchema.published.columns + NewsSchema.more.filter { more.contains($0.name) })
    let kind = options.text("endpoint").flatMap(NewsAPIEndpoint.Kind.init) ?? .topHeadlines
    let key = ServiceKey(
      "api_key", of: options, service: "newsapi", page: "https://newsapi.org/register",
      variable: "NEWSAPI_KEY")
    services = Self.services(options, hasKey: key.value != nil, &diagnostics)
    let query = NewsAPIQuery(kind, options)
    let asks = services == [.newsapi] && kind == .everything
    let size = options.int("page_size") ?? min(NewsAPIEndpoint.largestPage, max(limit ?? 100, 20))
    newsAPI = NewsAPIService(
      endpoint: NewsAPIEndpoint(
        url: Self.base(options, kind.path, &diagnostics).map(query.added), kind: kind, key: key,
        pageSize: size, hasFeeds: services.contains(.feeds)),
      mapper: NewsAPIRowMapper(keepsRemoved: options.bool("keep_removed")),
      readsIncrementally: asks && options.given("incremental")?["query"]?.string != nil)
    feeds = FeedsService(endpoint: FeedsEndpoint(feeds: Self.feeds(options, &diagnostics)))
    if services.contains(.newsapi) { query.check(options, &diagnostics) }
    Self.warnOfUnused(options, services, asks: asks, &diagnostics)
  }

  private static func services(
    _ options: Options, hasKey: Bool, _ diagnostics: inout Diagnostics
  ) -> [NewsProvider.Service] {
    let hasFeeds = options.nodes("feeds")?.isEmpty == false
    var services: [NewsProvider.Service] = []
    if let named = options.texts("service") {
      for name in named {
        guard let service = NewsProvider.Service(rawValue: name) else { continue }
        if !services.contains(service) { services.append(service) }
      }
      if named.isEmpty {
        diagnostics.error(
          "missing-value", "“service” is empty", at: options.location("service"),
          hint: "name newsapi, feeds or both, or leave it out")
      }
    } else {
      if hasKey { services.append(.newsapi) }
      if hasFeeds { services.append(.feeds) }
      if services.isEmpty {
        diagnostics.error(
          "missing-key", "the news source has neither “api_key” nor “feeds”",
          at: options.node.location,
          hint: "give feeds: [URL, …], or api_key with a free key of https://newsapi.org/register")
      }
    }
    if services.contains(.feeds), !hasFeeds {
      diagnostics.error(
        "missing-key", "the service “feeds” needs the key “feeds”", at: options.location("service"),
        hint: "give the addresses: feeds: [https://example.com/feed.xml]")
    }
    return services
  }

  /// The addresses of feeds, each once.
  private static func feeds(_ options: Options, _ diagnostics: inout Diagnostics) -> [WebURL] {
    var urls: [WebURL] = []
    for node in options.nodes("feeds") ?? [] {
      guard let text = node.string.map(FeedDiscovery.plainAddress) else { continue }
      if WebURL.userInformation(of: text) != nil {
        diagnostics.error(
          "user-information", "“feeds”: an address has a user or a password before the host",
          at: node.location, hint: "addresses of feeds are read without credentials")
      } else if let url = WebURL(text) {
        if urls.contains(where: { $0.names(url) }) {
          diagnostics.warning(
            "duplicate", "“feeds” names \(node.shown) twice", at: node.location,
            hint: "it is read once")
        } else {
          urls.append(url)
        }
      } else {
        diagnostics.error(
          "bad-url", "“feeds”: \(node.shown) is not an address", at: node.location,
          hint: "an address begins with http:// or https://")
      }
    }
    return urls
  }

  private static func base(
    _ options: Options, _ path: String, _ diagnostics: inout Diagnostics
  ) -> WebURL? {
    let node = options.given("base_urls")?["newsapi"]
    let text = node?.string ?? defaultBase
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    if let url = WebURL(base + path) { return url }
    diagnostics.error(
      "bad-url", "“base_urls.newsapi”: \(node?.shown ?? base) is not an address",
      at: node?.location ?? options.node.location,
      hint: "an address begins with http:// or https://")
    return nil
  }

  /// Options that none of the services heeds.
  private static func warnOfUnused(
    _ options: Options, _ services: [NewsProvider.Service], asks: Bool,
    _ diagnostics: inout Diagnostics
  ) {
    if services == [.feeds] {
      let names = NewsAPIQuery.options + ["endpoint", "page_size", "keep_removed"]
      for name in names where options.given(name) != nil {
        diagnostics.warning(
          "unused-key", "“\(name)” is for NewsAPI, but only feeds are read",
          at: options.location(name),
          hint:
            "leave it out, or name newsapi under “service”")
      }
    }
    if services == [.newsapi], options.given("feeds") != nil {
      diagnostics.warning(
        "unused-key", "“feeds” is given, but only NewsAPI is read", at: options.location("feeds"),
        hint: "write service: [newsapi, feeds]")
    }
    if !asks, !services.isEmpty, let query = options.given("incremental")?["query"],
      query.string != nil
    {
      diagnostics.warning(
        "unused-key", "“incremental.query” is not sent: feeds and other endpoints can't be asked",
        at: query.location,
        hint: "leave it out: older rows are left out as they come; "
          + "service: newsapi with endpoint: everything sends it")
    }
  }
}

extension WebURL {
  /// Whether both are the same address for a server.
  fileprivate func names(_ other: WebURL) -> Bool {
    hasOrigin(of: other) && (path.isEmpty ? "/" : path) == (other.path.isEmpty ? "/" : other.path)
      && query == other.query
  }
}
