internal import AggregateCore

/// NewsAPI as a provider of its own.
struct NewsAPIService: EndpointProvider {
  static var spec: ProviderSpec { NewsProvider.spec }

  let endpoint: NewsAPIEndpoint
  var decoder: NewsAPIDecoder { NewsAPIDecoder() }
  private(set) var mapper: NewsAPIRowMapper
  /// Whether requests say since when articles are wanted.
  let readsIncrementally: Bool

  /// The kind of its rows.
  var kind: ArticleItem.Kind { endpoint.kind == .sources ? .publication : .article }

  init(endpoint: NewsAPIEndpoint, mapper: NewsAPIRowMapper, readsIncrementally: Bool) {
    self.endpoint = endpoint
    self.mapper = mapper
    self.readsIncrementally = readsIncrementally
  }

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    self = NewsOptions(options, &diagnostics).newsAPI
  }

  func bound(to context: ProviderContext) throws -> NewsAPIService {
    try endpoint.key.require(context)
    var bound = self
    bound.mapper.skipsMalformed = context.errorPolicy == .skip
    bound.mapper.source = context.source
    return bound
  }

  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    try endpoint.plannedRequests(
      for: NewsAPIEndpoint.Query(size: endpoint.pageSize, isPaged: endpoint.isPaged),
      readsIncrementally ? context.cursors : nil)
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
