internal import AggregateCore

/// What is asked of NewsAPI: one query, page after page.
struct NewsAPIEndpoint: Sendable {
  /// The query, and where to say what was lost of its answers.
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
  /// Whether feeds are read beside it, for what is said when it fails.
  let hasFeeds: Bool

  /// The request for a page.
  ///
  /// - Parameter more: Query items that stand instead of those of the address.
  func request(
    _ page: NewsAPIPages.Place, _ more: [(name: String, value: String)] = []
  ) throws -> HTTPRequest {
    guard var url else { throw AggregateError(.configuration, "NewsAPI has no valid address") }
    for item in more { url.set(query: item.name, item.value) }
    if kind != .sources {
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
  func explain(_ error: AggregateError, _ context: ProviderContext) -> AggregateError {
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
