internal import AggregateCore
internal import AggregateFeeds

/// What an address of a feed answered with.
struct FeedsPayload: Sendable {
  /// The feed; without items when a page was answered.
  var feed = Feed()
  /// The feed that a web page names.
  var named: WebURL?
  /// How many feeds the page names.
  var namedCount = 0
}

/// From the body at the address of a feed to the feed, or to where the feed is.
struct FeedsDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> FeedsPayload {
    let contentType = response.header("Content-Type")
    if FeedDiscovery.isPage(response.body, contentType: contentType) {
      let named = FeedDiscovery.feeds(
        in: response.body, contentType: contentType, url: response.url
      ).compactMap { WebURL($0) }
      if let url = named.first { return FeedsPayload(named: url, namedCount: named.count) }
    }
    do {
      return FeedsPayload(
        feed: try FeedParser.parse(
          response.body, contentType: contentType, url: response.url))
    } catch var error as AggregateError {
      if error.location != nil {
        error.location?.file = "\(response.url)"
      } else {
        error.message = "\(response.url): \(error.message)"
      }
      throw error
    }
  }
}
