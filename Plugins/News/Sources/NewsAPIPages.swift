internal import AggregateCore

/// Which page of NewsAPI comes after which, and where they end. Asks nobody.
///
/// `totalResults` decides where it is given, with the size that pages really have; else an empty page.
struct NewsAPIPages {
  /// A page that is asked for.
  struct Place: Sendable, Hashable {
    /// The number, from 1.
    var number = 1
    /// How many articles it is to have.
    let size: Int
    /// How many of its articles were on earlier pages.
    var skipped = 0
  }

  /// What is to be done with a page.
  struct Taken {
    /// Whether its articles are those of the page before.
    var isRepeated = false
    /// The page to ask for next; nil when this is the last.
    var next: Place?
    /// What to tell the user.
    var warning: String?
    /// Whether there are more articles than can be read.
    var isCutOff = false
  }

  /// The page to ask for.
  private(set) var place: Place
  private let isPaged: Bool
  /// How many articles came.
  private var received = 0
  /// How many articles a page has.
  private var size: Int
  /// Whether what the plan leaves of a page is being read.
  private var isRest = false
  private var seen: [Int: Int] = [:]
  private var last: Int?

  /// The pages of a list, or the only one.
  init(size: Int, isPaged: Bool) {
    place = Place(size: size)
    self.size = size
    self.isPaged = isPaged
  }

  /// Takes in the page at ``place``.
  ///
  /// - Throws: ``AggregateError`` with code `pagination` when the pages repeat themselves.
  mutating func take(_ page: NewsAPIPayload) throws -> Taken {
    if let reason = page.cutOff { return cutOff(reason, at: page.most) }
    guard isPaged, !isRest else { return Taken(isCutOff: isRest) }
    if try isRepeated(page) {
      return Taken(
        isRepeated: true,
        warning: "page \(place.number) repeats the page before it; taken for the end")
    }
    received += page.count
    if place.number == 1, page.count < size { size = page.count }
    if page.count == 0 { return Taken() }
    if let total = page.total, received >= total || place.number * size >= total { return Taken() }
    place.number += 1
    return Taken(next: place)
  }

  /// Whether a page is the one before it. Of articles that were taken back nothing tells.
  private mutating func isRepeated(_ page: NewsAPIPayload) throws -> Bool {
    guard
      page.entries.contains(where: { !NewsAPIRowMapper.isRemoved(title: $0.title, url: $0.url) })
    else { return false }
    let print = page.entries.hashValue
    defer { last = print }
    guard let earlier = seen.updateValue(place.number, forKey: print) else { return false }
    let hint = "does base_urls.newsapi lead to something that does not page as NewsAPI does?"
    if place.number == 2 {
      throw AggregateError(
        .pagination, "page 2 has the same articles as page 1: the server ignores how it is asked",
        hint: hint)
    }
    if print == last { return true }
    guard page.entries.count > 1 else { return false }
    throw AggregateError(
      .pagination,
      "page \(place.number) has the same articles as page \(earlier): the pages go round in a circle",
      hint: hint)
  }

  /// The plan of the key refuses a page that ends behind its last article; a smaller one may end with it.
  private mutating func cutOff(_ reason: String, at most: Int?) -> Taken {
    let warning =
      "NewsAPI gives no more: \(reason); the articles before are kept"
    let read = (place.number - 1) * place.size
    guard !isRest, let most, most > read,
      let size = (max(1, most - read)...max(most - read, NewsAPIEndpoint.largestPage))
        .first(where: { most % $0 == 0 }), size < place.size || place.number == 1
    else { return Taken(warning: warning, isCutOff: true) }
    isRest = true
    place = Place(number: most / size, size: size, skipped: size - (most - read))
    return Taken(next: place, warning: warning, isCutOff: true)
  }
}
