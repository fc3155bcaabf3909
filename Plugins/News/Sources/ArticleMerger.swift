internal import AggregateCore

/// Finds articles that came several times: by address, then by identifier, then by headline.
///
/// The first one stays where it is, takes what it lacks from the later ones, and lists in
/// `carried_by` who carried it. Within one feed only an item that comes once more is the same; what
/// different items of a feed share tells nothing about those of others.
struct ArticleMerger {
  /// How far apart in time two articles with the same headline may be, in microseconds.
  static let window: Int64 = 3 * 86_400_000_000
  /// How many articles with the same headline are looked at.
  private static let mostCandidates = 256

  private struct Article {
    var values: [Value]
    /// Which of the emissions had it first.
    let emission: Int
    var carriers: [String]
    /// What it was merged from, each item of a scope once.
    var items: [ArticleItem]
  }

  /// Who has an address or an identifier.
  private struct Claim {
    var place: Int?
    /// Whether different articles have it, so that it tells nothing on its own.
    var isShared = false
  }

  /// What the rows that are given have.
  private let schema: Schema
  private var articles: [Article] = []
  /// What the articles came in, without the rows.
  private var emissions: [Emission] = []
  private var claims: [String: Claim] = [:]
  private var own: [String: [Int]] = [:]
  private var titles: [String: [Int]] = [:]

  /// Creates a merger that gives rows of `schema`, whose columns are among those of ``NewsSchema/identified``.
  init(schema: Schema) { self.schema = schema }

  /// How many different articles there are so far.
  var count: Int { articles.count }

  /// Takes rows of ``NewsSchema/identified`` that came in `emission`, in order: a page of NewsAPI, or a feed.
  mutating func add(_ batch: Batch, _ kind: ArticleItem.Kind, from emission: Emission) {
    emissions.append(emission.of(.batch(.empty(batch.schema))))
    let items = (0..<batch.rowCount).map { ArticleItem(batch.row($0), kind) }
    noteShared(items)
    for item in items { add(item) }
  }

  /// Notes what different items of these share, before the first of them is taken for another feed's.
  private mutating func noteShared(_ items: [ArticleItem]) {
    var first: [String: Int] = [:]
    for (index, item) in items.enumerated() {
      for claim in item.claims + item.titledClaims {
        guard let earlier = first[claim] else {
          first[claim] = index
          continue
        }
        if !items[earlier].isSame(as: item) { claims[claim, default: Claim()].isShared = true }
      }
    }
  }

  private mutating func add(_ item: ArticleItem) {
    if item.isRemoved {
      append(item, [])
      return
    }
    let place: Int
    if let known = again(item) {
      place = known
      merge(item, into: place)
    } else if let known = claimed(item) ?? told(item) {
      place = known
      merge(item, into: place)
      articles[place].items.append(item)
    } else {
      place = articles.count
      append(item, [item])
    }
    note(item, at: place)
  }

  private mutating func append(_ item: ArticleItem, _ items: [ArticleItem]) {
    articles.append(
      Article(
        values: item.values, emission: emissions.count - 1, carriers: [item.publisher],
        items: items))
  }

  private mutating func note(_ item: ArticleItem, at place: Int) {
    Self.add(place, to: &own[item.ownKey, default: []])
    for key in item.claims + item.titledClaims {
      var claim = claims[key] ?? Claim()
      if let known = claim.place, known != place { claim.isShared = true }
      claim.place = claim.place ?? place
      claims[key] = claim
    }
    if let title = item.title { Self.add(place, to: &titles[title, default: []]) }
  }

  private static func add(_ place: Int, to places: inout [Int]) {
    if places.count < mostCandidates, !places.contains(place) { places.append(place) }
  }

  /// The article of the same item of the same feed.
  private func again(_ item: ArticleItem) -> Int? {
    own[item.ownKey]?.first { place in
      articles[place].items.contains { $0.scope == item.scope && $0.isSame(as: item) }
    }
  }

  /// The article of another feed or service that has the same address or identifier; where several have it,
  /// the one that has the headline as well.
  private func claimed(_ item: ArticleItem) -> Int? {
    for key in item.claims + item.titledClaims {
      guard let claim = claims[key], !claim.isShared, let place = claim.place else { continue }
      if !articles[place].items.contains(where: { $0.scope == item.scope }) { return place }
    }
    return nil
  }

  /// The article that has the same headline at about the same time, of another publication or service.
  private func told(_ item: ArticleItem) -> Int? {
    guard let title = item.title, Headline.weight(title) >= Headline.leastWeight else { return nil }
    return titles[title]?.first { place in
      var isElsewhere = false
      var isOfPublisher = false
      for other in articles[place].items {
        // Of a feed no other item; NewsAPI has the same story from several publications.
        let isOfFeed = item.scope != item.service
        if other.scope == item.scope, isOfFeed || other.publisher == item.publisher { return false }
        if other.service != item.service { isElsewhere = true }
        if other.publisher == item.publisher { isOfPublisher = true }
        if let a = other.publishedAt, let b = item.publishedAt, abs(a - b) > Self.window {
          return false
        }
      }
      return isElsewhere || !isOfPublisher
    }
  }

  private mutating func merge(_ item: ArticleItem, into place: Int) {
    for index in item.values.indices where articles[place].values[index].isNull {
      articles[place].values[index] = item.values[index]
    }
    if !articles[place].carriers.contains(item.publisher) {
      articles[place].carriers.append(item.publisher)
    }
  }

  /// The articles of a range, divided by where they came from first.
  func emissions(_ range: Range<Int>) -> [Emission] {
    var out: [Emission] = []
    var start = range.lowerBound
    for place in range {
      let emission = articles[place].emission
      guard place + 1 == range.upperBound || articles[place + 1].emission != emission else {
        continue
      }
      out.append(emissions[emission].of(.batch(batch(start..<place + 1))))
      start = place + 1
    }
    return out
  }

  /// The articles of a range as rows.
  private func batch(_ range: Range<Int>) -> Batch {
    var rows = BatchBuilder(schema: schema)
    let indexes = schema.names.map { NewsSchema.identified.index(of: $0) ?? 0 }
    for article in articles[range] {
      for index in indexes {
        if index == NewsSchema.carriedBy {
          rows.append(list: article.carriers.filter { !$0.isEmpty })
        } else {
          rows.append(article.values[index])
        }
      }
      rows.endRow()
    }
    return rows.finish()
  }
}
