internal import AggregateCore
internal import AggregateFeeds

/// What is asked for feeds: each address once, and the feed of a web page that names one.
struct FeedsEndpoint: Endpoint {
  /// A feed, and the pages that led to it.
  struct Address: Sendable {
    let url: WebURL
    let trail = FeedsTrail()
  }

  /// How many pages may lead to one another before the feed.
  static let maximumPages = 5

  /// The addresses, in the order of their rows.
  let feeds: [WebURL]

  func parts(
    _ context: ProviderContext, yield: (Address) async throws -> Void
  ) async throws {
    for url in feeds { try await yield(Address(url: url)) }
  }

  /// Each feed has a cursor of its own: one may lag behind another.
  func name(of address: Address) -> String { address.url.description }

  func request(for address: Address) throws -> HTTPRequest { request(to: address.url) }

  func request(
    after page: Page<Address, FeedsPayload>, _ context: ProviderContext
  ) throws -> HTTPRequest? {
    let payload = page.payload
    guard payload.isPage else { return nil }
    let address = page.part
    let url = page.response.url
    address.trail.visit(page.request.url)
    address.trail.visit(url)
    guard page.index < Self.maximumPages,
      let feed = payload.named.first(where: { !address.trail.has($0) })
    else {
      let leads = payload.named.map(\.description).joined(separator: ", ")
      throw AggregateError(
        .badData, "\(url): a web page (HTML) was received, where a feed is expected",
        hint: page.index < Self.maximumPages
          ? "what it names as its feed is a page as well: \(leads)"
          : "\(Self.maximumPages + 1) pages led to one another; the last names \(leads)")
    }
    let others = payload.named.filter { $0 != feed && !address.trail.has($0) }
    context.log.note(
      "\(url) is a web page; reading its feed \(feed)"
        + (others.isEmpty
          ? ""
          : "; it also names \(others.prefix(5).map(\.description).joined(separator: ", "))"
            + (others.count > 5 ? " and \(others.count - 5) more" : "")))
    return request(to: feed)
  }

  /// Says what to do about a feed that can't be had.
  func explain(
    _ error: AggregateError, of address: Address, _ context: ProviderContext
  ) async -> AggregateError {
    var error = error
    switch error.status {
    case 401, 403:
      error.hint = "the site refuses programs, or wants a login: feeds are read without credentials"
    case 404, 410:
      error.hint =
        "the feed has moved or is gone: give the address of a page of the site, which may name its feed"
    case let status? where status >= 500:
      error.hint = "the site itself fails: try again later; on_error: partial keeps the other feeds"
    default: error.hint = error.hint ?? "is it the address of a feed, and does the site answer?"
    }
    return error
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
