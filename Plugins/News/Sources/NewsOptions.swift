internal import AggregateCore
internal import AggregateFeeds

/// The options of a news source, understood; mistakes go to the diagnostics.
struct NewsOptions {
  private(set) var services: [NewsProvider.Service] = []
  private(set) var newsAPI: NewsAPIService
  private(set) var feeds: FeedsService
  let limit: Int?

  static let defaultBase = "https://newsapi.org/v2"
  /// The most sources that NewsAPI takes in one query.
  static let mostSources = 20

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    limit = options.int("limit")
    let kind = options.text("endpoint").flatMap(NewsAPIEndpoint.Kind.init) ?? .topHeadlines
    let key = ServiceKey(
      "api_key", of: options, service: "newsapi", page: "https://newsapi.org/register",
      variable: "NEWSAPI_KEY")
    let given = options.texts("feeds") ?? []
    if let named = options.texts("service") {
      for name in named {
        guard let service = NewsProvider.Service(rawValue: name) else { continue }
        if !services.contains(service) { services.append(service) }
      }
    } else if key.value != nil {
      services = [.newsapi]
    } else if !given.isEmpty {
      services = [.feeds]
    } else {
      diagnostics.error(
        "missing-key", "the news source has neither “api_key” nor “feeds”",
        at: options.node.location,
        hint: "give feeds: [URL, …], or api_key with a free key of https://newsapi.org/register")
    }
    let size = options.int("page_size") ?? min(NewsAPIEndpoint.largestPage, max(limit ?? 100, 20))
    newsAPI = NewsAPIService(
      endpoint: NewsAPIEndpoint(
        url: Self.address(kind, options, &diagnostics), kind: kind, key: key, pageSize: size,
        limit: limit),
      mapper: NewsAPIRowMapper(keepsRemoved: options.bool("keep_removed")))
    feeds = FeedsService(endpoint: FeedsEndpoint(feeds: Self.feeds(options, &diagnostics)))
    if services.contains(.newsapi) { Self.check(kind, options, &diagnostics) }
    if services.contains(.feeds) && given.isEmpty {
      diagnostics.error(
        "missing-key", "the service “feeds” needs the key “feeds”", at: options.location("service"),
        hint: "give the addresses: feeds: [https://example.com/feed.xml]")
    }
  }

  private static func feeds(_ options: Options, _ diagnostics: inout Diagnostics) -> [WebURL] {
    var urls: [WebURL] = []
    for node in options.nodes("feeds") ?? [] {
      guard let text = node.string else { continue }
      if WebURL.userInformation(of: text) != nil {
        diagnostics.error(
          "user-information", "“feeds”: an address has a user or a password before the host",
          at: node.location, hint: "addresses of feeds are read without credentials")
      } else if let url = WebURL(text) {
        urls.append(url)
      } else {
        diagnostics.error(
          "bad-url", "“feeds”: \(node.shown) is not an address", at: node.location,
          hint: "an address begins with http:// or https://")
      }
    }
    return urls
  }

  private static func address(
    _ kind: NewsAPIEndpoint.Kind, _ options: Options, _ diagnostics: inout Diagnostics
  ) -> WebURL? {
    let node = options.given("base_urls")?["newsapi"]
    let text = node?.string ?? defaultBase
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard var url = WebURL(base + kind.path) else {
      diagnostics.error(
        "bad-url", "“base_urls.newsapi”: \(node?.shown ?? base) is not an address",
        at: node?.location ?? options.node.location,
        hint: "an address begins with http:// or https://")
      return nil
    }
    func add(_ name: String, _ option: String) {
      if let text = options.text(option) { url.append(query: name, text) }
    }
    func addList(_ name: String, _ option: String) {
      if let texts = options.texts(option), !texts.isEmpty {
        url.append(query: name, texts.joined(separator: ","))
      }
    }
    add("country", "country")
    add("category", "category")
    addList("sources", "sources")
    addList("domains", "domains")
    add("q", "query")
    add("language", "language")
    if kind == .everything {
      add("from", "from")
      add("to", "to")
      add("sortBy", "sort_by")
    }
    return url
  }

  /// Finds what NewsAPI would refuse.
  private static func check(
    _ kind: NewsAPIEndpoint.Kind, _ options: Options, _ diagnostics: inout Diagnostics
  ) {
    func has(_ name: String) -> Bool { options.given(name) != nil }
    func refuse(_ names: [String], _ hint: String) {
      for name in names where has(name) {
        diagnostics.error(
          "unused-key", "NewsAPI does not take “\(name)” at the endpoint \(kind.rawValue)",
          at: options.location(name), hint: hint)
      }
    }
    func need(_ names: [String]) {
      if names.contains(where: has) { return }
      let all = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      diagnostics.error(
        "missing-key", "NewsAPI needs \(all) at the endpoint \(kind.rawValue)",
        at: options.node.location, hint: "give at least one of them")
    }
    switch kind {
    case .topHeadlines:
      need(["country", "category", "sources", "query", "language"])
      refuse(["from", "to", "sort_by", "domains"], "endpoint: everything takes it")
      if has("sources") {
        refuse(["country", "category"], "give either sources or country and category")
      }
    case .everything:
      need(["query", "sources", "domains"])
      refuse(["country", "category"], "endpoint: top-headlines takes it")
    case .sources:
      refuse(["query", "sources", "domains", "from", "to", "sort_by"], "leave it out")
    }
    if let sources = options.texts("sources"), sources.count > mostSources {
      diagnostics.error(
        "too-many", "“sources” has \(sources.count) sources, but NewsAPI takes \(mostSources)",
        at: options.location("sources"), hint: "split them over several declarations")
    }
    for name in ["from", "to"] {
      if let text = options.text(name), FeedDate.parse(text) == nil {
        diagnostics.error(
          "bad-date", "“\(name)” is “\(text)”, which is not a date", at: options.location(name),
          hint: "write 2024-03-01 or 2024-03-01T12:00:00")
      }
    }
  }
}
