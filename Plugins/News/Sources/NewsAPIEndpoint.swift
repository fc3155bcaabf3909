internal import AggregateCore
internal import Synchronization

/// What is asked of NewsAPI: one query, page after page.
struct NewsAPIEndpoint: Endpoint {
  typealias Payload = NewsAPIPayload

  /// The one query, and where its pages stand.
  final class Query: Sendable {
    private let pages: Mutex<NewsAPIPages>

    init(size: Int, isPaged: Bool) {
      pages = Mutex(NewsAPIPages(size: size, isPaged: isPaged))
    }

    /// The page that is being read.
    var place: NewsAPIPages.Place { pages.withLock { $0.place } }

    /// Takes in a page, the first one of a window from the beginning.
    func take(_ payload: NewsAPIPayload, isFirst: Bool) -> NewsAPIPages.Next {
      pages.withLock { pages in
        if isFirst { pages.restart() }
        return pages.take(payload)
      }
    }
  }

  /// The kind of list that is asked for.
  enum Kind: String, CaseIterable, Sendable {
    case topHeadlines = "top-headlines"
    case everything
    case sources

    /// The path behind the base address.
    var path: String { self == .sources ? "/top-headlines/sources" : "/" + rawValue }
  }

  /// The most results that NewsAPI puts on a page.
  static let largestPage = 100

  /// The address of the list with its parameters, without page and key; nil when it was wrong.
  let url: WebURL?
  let kind: Kind
  let key: ServiceKey
  let pageSize: Int
  /// Whether feeds are read beside it, for what is said when it fails.
  let hasFeeds: Bool

  var isPaged: Bool { kind != .sources }

  /// One query.
  func parts(_ context: ProviderContext, yield: (Query) async throws -> Void) async throws {
    try await yield(Query(size: pageSize, isPaged: isPaged))
  }

  /// Beside feeds, which have a cursor each, it has one of its own, too.
  func name(of query: Query) -> String { hasFeeds ? NewsProvider.Service.newsapi.rawValue : "" }

  /// Which page comes next, ``request(after:_:)`` says.
  func paging(of query: Query) -> Paging<NewsAPIPayload> {
    var paging = Paging<NewsAPIPayload>.rule
    paging.hint = "does base_urls.newsapi lead to something that pages as NewsAPI does?"
    return paging
  }

  /// The first page.
  func request(for query: Query) throws -> HTTPRequest {
    try request(for: query, .changes([]), in: nil)
  }

  /// The first page of a window.
  func request(for query: Query, _ ask: PageAsk, in window: Window?) throws -> HTTPRequest {
    try request(NewsAPIPages.Place(size: pageSize), window)
  }

  /// What the total, the size that pages really have and the plan of the key leave to ask for.
  func request(
    after page: Page<Query, NewsAPIPayload>, _ context: ProviderContext
  ) throws -> HTTPRequest? {
    let payload = page.payload
    let next = page.part.take(payload, isFirst: page.index == 0)
    if let warning = next.warning { context.log.warn("\(context.source): \(warning)") }
    if let malformed = payload.malformed.first, context.errorPolicy != .skip {
      throw malformed.error(at: page.response.url)
    }
    if next.place == nil, next.isCutOff { context.leaveCursor() }
    return try next.place.map { try request($0, page.window) }
  }

  private func request(_ page: NewsAPIPages.Place, _ window: Window?) throws -> HTTPRequest {
    guard var url else { throw AggregateError(.configuration, "NewsAPI has no valid address") }
    for item in window?.query ?? [] { url.set(query: item.name, item.value) }
    if isPaged {
      url.append(query: "pageSize", String(page.size))
      url.append(query: "page", String(page.number))
    }
    var request = HTTPRequest("GET", url, headers: [HTTPField("Accept", "application/json")])
    // In a header, so that no log, cache or proxy sees the key in an address.
    if let key = key.value { request.credentials = [.header(name: "X-Api-Key", value: key)] }
    request.judge = { $0.status < 400 ? nil : NewsAPIError($0)?.verdict(on: $0) }
    return request
  }

  /// Says what may help when NewsAPI does not answer, or not any more.
  func explain(
    _ error: AggregateError, of query: Query, _ context: ProviderContext
  ) async -> AggregateError {
    var error = error
    guard error.hint == nil else { return error }
    let isDown = error.code == .unavailable && error.status != 429
    var advice = isDown ? ["NewsAPI itself fails: try again later"] : []
    if context.errorPolicy != .partial {
      if hasFeeds {
        advice.append("on_error: partial reads the feeds all the same")
      } else if isDown {
        advice.append(
          "feeds, with service: [newsapi, feeds] and on_error: partial, are read all the same")
      }
    }
    if !advice.isEmpty, error.code.endsOnePart { error.hint = advice.joined(separator: "; ") }
    return error
  }
}
