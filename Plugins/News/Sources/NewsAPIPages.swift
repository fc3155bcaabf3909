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

  /// What comes after a page.
  struct Next {
    /// The page to ask for; nil when there is none.
    var place: Place?
    /// What to tell the user.
    var warning: String?
    /// Whether there are more articles than can be read.
    var isCutOff = false
  }

  /// The page to ask for.
  private(set) var place: Place
  private let isPaged: Bool
  /// How many articles a page is asked to have.
  private let asked: Int
  /// How many articles came.
  private var received = 0
  /// How many articles a page has.
  private var size: Int
  /// Whether what the plan leaves of a page is being read.
  private var isRest = false

  /// The pages of a list, or the only one.
  init(size: Int, isPaged: Bool) {
    place = Place(size: size)
    asked = size
    self.size = size
    self.isPaged = isPaged
  }

  /// Begins anew, as for another window of the time.
  mutating func restart() { self = NewsAPIPages(size: asked, isPaged: isPaged) }

  /// Takes in the page at ``place``, which then is the next one.
  mutating func take(_ page: NewsAPIPayload) -> Next {
    if let reason = page.cutOff { return cutOff(reason, at: page.most) }
    guard isPaged, !isRest else { return Next(isCutOff: isRest) }
    received += page.count
    if place.number == 1, page.count < size { size = page.count }
    if let total = page.total {
      if received >= total { return Next() }
      if page.count == 0 || place.number * size >= total {
        return Next(
          warning: "NewsAPI says that there are \(total) results, and gave \(received)")
      }
    } else if page.count == 0 {
      return Next()
    }
    place.number += 1
    return Next(place: place)
  }

  /// The plan of the key refuses a page that ends behind its last article; a smaller one may end with it.
  private mutating func cutOff(_ reason: String, at most: Int?) -> Next {
    let warning =
      "NewsAPI gives no more: \(reason); the articles before are kept"
    let read = (place.number - 1) * place.size
    // The smallest page that ends with the last article and has all that are left.
    guard !isRest, let most, (1..<place.size).contains(most - read),
      let size = (most - read...NewsAPIEndpoint.largestPage).first(where: { most % $0 == 0 })
    else { return Next(warning: warning, isCutOff: true) }
    isRest = true
    place = Place(number: most / size, size: size, skipped: size - (most - read))
    return Next(place: place, warning: warning, isCutOff: true)
  }
}
