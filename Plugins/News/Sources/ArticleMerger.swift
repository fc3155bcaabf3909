internal import AggregateCore
internal import AggregateFeeds

/// Finds articles that came several times: by address, then by identifier, then by headline.
///
/// The first one stays where it is, takes what it lacks from the later ones, and lists in
/// `carried_by` who carried it.
struct ArticleMerger {
  /// How far apart in time two articles with the same headline may be.
  static let window: Int64 = 3 * 86_400_000_000
  /// The shortest headline, in letters and digits, that tells an article on its own.
  static let shortestTitle = 20

  private struct Article {
    var values: [Value]
    /// Which of the emissions had it first.
    var emission: Int
    var carriers: [String]
    var publishedAt: Int64?
    var address: String?
    var guid: String?
    var title: String?
  }

  private let columns: Columns
  private var articles: [Article] = []
  /// What the articles came in, without the rows.
  private var sources: [Emission] = []
  private var places: [String: Int] = [:]
  private var titles: [String: [Int]] = [:]

  /// Creates a merger of rows of ``NewsSchema/identified``.
  init() { columns = Columns() }

  /// How many different articles there are so far.
  var count: Int { articles.count }

  /// Takes rows, in order, that came in `emission`.
  mutating func add(_ batch: Batch, from emission: Emission = Emission(.batch(.empty(Schema([])))))
  {
    sources.append(emission.of(.batch(.empty(batch.schema))))
    for row in 0..<batch.rowCount { add(batch.row(row)) }
  }

  private mutating func add(_ values: [Value]) {
    let publisher = text(values[columns.publisher]) ?? text(values[columns.service]) ?? ""
    let address = text(values[columns.url]).flatMap(ArticleAddress.canonical)
    let publishedAt = text(values[columns.publishedAt])
    let title = text(values[columns.title]).map { Self.normalized($0, publisher: publisher) }
    let article = Article(
      values: values, emission: sources.count - 1, carriers: [publisher],
      publishedAt: publishedAt.flatMap(Self.microseconds), address: address,
      guid: text(values[columns.guid]), title: title)
    let keys = keys(values, publisher, address)
    var known = keys.compactMap { places[$0] }.first { !isAnother(article, than: $0) }
    if known == nil, let title { known = match(title: title, article, publisher) }
    let place = known ?? articles.count
    if known == nil { articles.append(article) } else { merge(article, into: place) }
    for key in keys where places[key] == nil { places[key] = place }
    if let title, !title.isEmpty, titles[title]?.contains(place) != true {
      titles[title, default: []].append(place)
    }
  }

  /// Whether an article with the same address is another one: some feeds give all items that of the site.
  private func isAnother(_ article: Article, than place: Int) -> Bool {
    let other = articles[place]
    guard other.carriers.contains(article.carriers[0]), let guid = article.guid,
      let otherGUID = other.guid, guid != otherGUID
    else { return false }
    return article.title != other.title
  }

  private func keys(_ values: [Value], _ publisher: String, _ address: String?) -> [String] {
    var keys: [String] = []
    if let address { keys.append("a \(address)") }
    if let guid = text(values[columns.guid]), !guid.isEmpty {
      // An identifier that is not an address or a URN is unique within its feed only.
      keys.append(guid.contains(":") ? "g \(guid)" : "g \(publisher)\u{0}\(guid)")
      // The address of the article where the link is that of a counter; the site alone tells nothing.
      if guid.hasPrefix("http"), let page = ArticleAddress.canonical(guid), page.contains("/") {
        keys.append("a \(page)")
      }
    }
    if keys.isEmpty, let title = text(values[columns.title]) {
      keys.append("t \(publisher)\u{0}\(title)\u{0}\(text(values[columns.publishedAt]) ?? "")")
    }
    return keys
  }

  /// An earlier article of another publisher with the same headline at about the same time.
  private func match(title: String, _ article: Article, _ publisher: String) -> Int? {
    guard title.utf8.count >= Self.shortestTitle else { return nil }
    return titles[title]?.first { place in
      let other = articles[place]
      guard !other.carriers.contains(publisher) else { return false }
      guard let a = article.publishedAt, let b = other.publishedAt else { return true }
      return abs(a - b) <= Self.window
    }
  }

  private mutating func merge(_ article: Article, into place: Int) {
    for index in article.values.indices where articles[place].values[index].isNull {
      articles[place].values[index] = article.values[index]
    }
    for carrier in article.carriers where !articles[place].carriers.contains(carrier) {
      articles[place].carriers.append(carrier)
    }
  }

  /// The articles of a range as rows of ``NewsSchema/published``, divided by where they came from.
  func emissions(_ range: Range<Int>) -> [Emission] {
    var emissions: [Emission] = []
    var start = range.lowerBound
    for place in range {
      let source = articles[place].emission
      guard place + 1 == range.upperBound || articles[place + 1].emission != source else {
        continue
      }
      emissions.append(sources[source].of(.batch(batch(start..<place + 1))))
      start = place + 1
    }
    return emissions
  }

  /// The articles of a range as rows of ``NewsSchema/published``.
  func batch(_ range: Range<Int>) -> Batch {
    var rows = BatchBuilder(schema: NewsSchema.published)
    for article in articles[range] {
      for index in 0..<columns.carriedBy { rows.append(article.values[index]) }
      rows.append(list: article.carriers.filter { !$0.isEmpty })
      rows.endRow()
    }
    return rows.finish()
  }

  private func text(_ value: Value) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// Letters and digits in lower case, without the publisher that some services put behind it.
  static func normalized(_ title: String, publisher: String) -> String {
    var title = title[...]
    for dash in [" - ", " | ", " – "] where title.hasSuffix(dash + publisher) {
      title = title.dropLast(dash.count + publisher.count)
    }
    return String(title.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  private static func microseconds(_ text: String) -> Int64? {
    FeedDate.parse(text)?.microseconds
  }

  private struct Columns {
    let title: Int
    let publisher: Int
    let url: Int
    let publishedAt: Int
    let service: Int
    let carriedBy: Int
    let guid: Int

    init() {
      let schema = NewsSchema.identified
      func index(_ name: String) -> Int { schema.index(of: name) ?? 0 }
      title = index("title")
      publisher = index("publisher")
      url = index("url")
      publishedAt = index("published_at")
      service = index("service")
      carriedBy = index("carried_by")
      guid = index("guid")
    }
  }
}
