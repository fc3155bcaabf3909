internal import AggregateCore
internal import AggregateFeeds

/// One row of a service, with what tells it from others and what it may have in common with them.
struct ArticleItem {
  /// What rows are.
  enum Kind {
    case article
    /// A publication of NewsAPI; goes by its identifier only.
    case publication
  }

  /// The row, of ``NewsSchema/identified``.
  let values: [Value]
  /// Within what identifiers count: the address of the feed, or NewsAPI.
  let scope: String
  let service: String
  let publisher: String
  let guid: String?
  let address: String?
  /// The headline as ``Headline/key(_:publisher:)``.
  let title: String?
  let publishedAt: Int64?
  /// What the same article has in other services and feeds, too: addresses, identifiers of the world.
  let claims: [String]
  /// Whether its publisher took it back, so that nothing is left to tell it by.
  let isRemoved: Bool

  init(_ values: [Value], _ kind: Kind) {
    func text(_ index: Int) -> String? { Self.text(values[index]) }
    self.values = values
    service = text(NewsSchema.service) ?? ""
    publisher = text(NewsSchema.publisher) ?? service
    guid = text(NewsSchema.guid)
    let url = text(NewsSchema.url)
    address = url.flatMap(ArticleAddress.canonical)
    let headline = text(NewsSchema.title)
    isRemoved =
      kind == .article && service == NewsProvider.Service.newsapi.rawValue
      && NewsAPIRowMapper.isRemoved(title: headline, url: url)
    guard kind == .article else {
      (scope, title, publishedAt, claims) = ("\(service) publications", nil, nil, [])
      return
    }
    scope = text(NewsSchema.feed) ?? service
    title = headline.flatMap { [publisher] in Headline.key($0, publisher: publisher) }
    publishedAt = text(NewsSchema.publishedAt).flatMap { FeedDate.parse($0)?.microseconds }
    var claims = address.map { ["a \($0)"] } ?? []
    if let guid, let claim = Self.claim(guid), !claims.contains(claim) { claims.append(claim) }
    self.claims = claims
  }

  /// What an identifier says beyond its feed: one that is the address of a page, where the link may be that of a
  /// counter; or a URN. The address of a site tells nothing.
  private static func claim(_ guid: String) -> String? {
    if let page = ArticleAddress.canonical(guid) {
      return ArticleAddress.isPage(page) ? "a \(page)" : nil
    }
    let scheme = guid.prefix(4).lowercased()
    return scheme == "urn:" || scheme == "tag:" ? "g \(guid)" : nil
  }

  /// Where to look for the same item in the same scope.
  var ownKey: String {
    if let guid { return "\(scope)\0g \(guid)" }
    if service == NewsProvider.Service.newsapi.rawValue, let address {
      return "\(scope)\0a \(address)\0\(title ?? "")"
    }
    return "\(scope)\0v \(values.hashValue)"
  }

  /// The same together with the headline.
  var titledClaims: [String] {
    guard let title else { return [] }
    return claims.map { "\($0)\0\(title)" }
  }

  /// Whether another item of the same scope is this one once more.
  ///
  /// The identifier decides, unless it stands for something else: of address, headline and description two differ, or
  /// all that there are. Without one, articles of NewsAPI go by address and headline; items of a feed must be
  /// equal in everything.
  func isSame(as other: ArticleItem) -> Bool {
    guard guid == nil, other.guid == nil else {
      return guid == other.guid && !isSomethingElse(than: other)
    }
    guard service == NewsProvider.Service.newsapi.rawValue, address != nil else {
      return values == other.values
    }
    return address == other.address && words == other.words
  }

  private func isSomethingElse(than other: ArticleItem) -> Bool {
    var equal = 0
    var different = 0
    for (a, b) in [
      (address, other.address), (title, other.title), (description, other.description),
    ] {
      guard let a, let b else { continue }
      if a == b { equal += 1 } else { different += 1 }
    }
    return different >= 2 || (different == 1 && equal == 0)
  }

  private var description: String? { Self.text(values[NewsSchema.description]) }

  /// The headline, or what stands for it.
  private var words: String? {
    title ?? Self.text(values[NewsSchema.title]) ?? description
  }

  private static func text(_ value: Value) -> String? {
    if case .text(let text) = value, !text.isEmpty { text } else { nil }
  }
}
