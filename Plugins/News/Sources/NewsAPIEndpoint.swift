internal import AggregateCore

/// What is asked of NewsAPI: one query, page after page.
struct NewsAPIEndpoint: Endpoint {
  /// The one part: the query, and where to say that not all of it could be read.
  struct Query: Sendable {
    let log: RunLog
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
  let limit: Int?

  func partitions(
    _ context: ProviderContext, yield: (Query) async throws -> Void
  ) async throws {
    try key.require(context)
    try await yield(Query(log: context.log))
  }

  func request(for query: Query) throws -> HTTPRequest { try request(page: 1) }

  func request(after page: Page<Query, NewsAPIPayload>) throws -> HTTPRequest? {
    if let reason = page.payload.cutOff {
      page.partition.log.warn("NewsAPI gives no more: \(reason); the articles before are kept")
      return nil
    }
    if kind == .sources || page.payload.entries.isEmpty { return nil }
    if let limit, page.rowsBefore + page.rowCount >= limit { return nil }
    let read = max((page.index + 1) * pageSize, page.rowsBefore + page.rowCount)
    guard let total = page.payload.total, read < total else { return nil }
    return try request(page: page.index + 2)
  }

  /// Says what may help when NewsAPI does not answer.
  func explain(
    _ error: AggregateError, of query: Query, _ context: ProviderContext
  ) async -> AggregateError {
    var error = error
    if error.hint == nil, error.code == .unavailable, error.status != 429 {
      error.hint = "NewsAPI itself fails: try again later; service: [newsapi, feeds] adds feeds"
    }
    return error
  }

  /// The request for a page, counted from 1.
  func request(page: Int) throws -> HTTPRequest {
    guard var url else { throw AggregateError(.configuration, "NewsAPI has no valid address") }
    if kind != .sources {
      url.append(query: "pageSize", String(pageSize))
      url.append(query: "page", String(page))
    }
    var request = HTTPRequest("GET", url, headers: [HTTPField("Accept", "application/json")])
    // In a header, so that no log, cache or proxy sees the key in an address.
    if let key = key.value { request.credentials = [.header(name: "X-Api-Key", value: key)] }
    request.judge = { $0.status < 400 ? nil : NewsAPIError($0)?.verdict(on: $0) }
    return request
  }
}
