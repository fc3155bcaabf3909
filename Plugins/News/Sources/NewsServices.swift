internal import AggregateCore

/// NewsAPI: what is asked, how answers are read, what rows they make.
struct NewsAPIService: Sendable {
  let endpoint: NewsAPIEndpoint
  var decoder: NewsAPIDecoder { NewsAPIDecoder() }
  let mapper: NewsAPIRowMapper
  /// Whether requests say since when articles are wanted.
  let readsIncrementally: Bool

  /// The kind of its rows.
  var kind: ArticleItem.Kind { endpoint.kind == .sources ? .publication : .article }

  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    let first = NewsAPIPages(size: endpoint.pageSize, isPaged: true).place
    guard readsIncrementally, let cursors = context.incremental else {
      return [try endpoint.request(first)]
    }
    var requests: [HTTPRequest] = []
    var next = try cursors.window(after: nil, of: "")
    while let window = next, requests.count < 1000 {
      requests.append(try endpoint.request(first, window.query))
      next = try cursors.window(after: window, of: "")
    }
    return requests
  }
}

/// Feeds as a provider of its own.
struct FeedsService: EndpointProvider {
  static var spec: ProviderSpec { NewsProvider.spec }

  let endpoint: FeedsEndpoint
  var decoder: FeedsDecoder { FeedsDecoder() }
  var mapper: FeedsRowMapper { FeedsRowMapper() }

  init(endpoint: FeedsEndpoint) { self.endpoint = endpoint }

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    self.init(endpoint: NewsOptions(options, &diagnostics).feeds.endpoint)
  }

  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    endpoint.feeds.map { endpoint.request(to: $0) }
  }
}
