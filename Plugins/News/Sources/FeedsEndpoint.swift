internal import AggregateCore
internal import AggregateFeeds

/// What is asked for feeds: each address once, and the feed of a web page that names one.
struct FeedsEndpoint: Endpoint {
  /// A feed, and where to say what was found instead.
  struct Address: Sendable {
    let url: WebURL
    let log: RunLog
  }

  /// The addresses, in the order of their rows.
  let feeds: [WebURL]

  func partitions(
    _ context: ProviderContext, yield: (Address) async throws -> Void
  ) async throws {
    for url in feeds { try await yield(Address(url: url, log: context.log)) }
  }

  func request(for address: Address) throws -> HTTPRequest { request(to: address.url) }

  func request(after page: Page<Address, FeedsPayload>) throws -> HTTPRequest? {
    guard page.index == 0, let feed = page.payload.named else { return nil }
    page.partition.log.note("\(page.partition.url) is a web page; reading its feed \(feed)")
    return request(to: feed)
  }

  func request(to url: WebURL) -> HTTPRequest {
    HTTPRequest(
      "GET", url,
      headers: [
        HTTPField(
          "Accept",
          "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, "
            + "text/xml;q=0.9, */*;q=0.5")
      ])
  }
}
