internal import AggregateCore

/// NewsAPI as a provider of its own.
struct NewsAPIService: EndpointProvider {
  static var spec: ProviderSpec { NewsProvider.spec }

  let endpoint: NewsAPIEndpoint
  var decoder: NewsAPIDecoder { NewsAPIDecoder() }
  let mapper: NewsAPIRowMapper

  init(endpoint: NewsAPIEndpoint, mapper: NewsAPIRowMapper) {
    self.endpoint = endpoint
    self.mapper = mapper
  }

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let service = NewsOptions(options, &diagnostics).newsAPI
    self.init(endpoint: service.endpoint, mapper: service.mapper)
  }

  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    [try endpoint.request(page: 1)]
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
