internal import AggregateCore
internal import AggregateFeeds

/// What an address of a feed answered with.
struct FeedsPayload: Sendable {
  /// The feed; without items when a page was answered.
  var feed = Feed()
  /// The feeds that a web page names, the most likely first.
  var named: [WebURL] = []
  /// Whether a page was answered.
  var isPage = false
}

/// From the body at the address of a feed to the feed, or to where the feed is.
struct FeedsDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> FeedsPayload {
    let contentType = response.header("Content-Type")
    if FeedDiscovery.isPage(response.body, contentType: contentType) {
      let inPage = FeedDiscovery.feeds(
        in: response.body, contentType: contentType, url: response.url)
      let inHeader =
        response.header("Link").map { FeedDiscovery.feeds(inHeader: $0, url: response.url) } ?? []
      let named = (inPage + inHeader.filter { !inPage.contains($0) }).compactMap { WebURL($0) }
      if !named.isEmpty { return FeedsPayload(named: named, isPage: true) }
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
