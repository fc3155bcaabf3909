internal import AggregateCore

/// What was found in an item, before it is decided which of several values is the right one.
struct FeedItemParts {
  private let names: FeedNames
  private var item = FeedItem()
  private var links = FeedLinks()
  private var categories: Set<String> = []
  private var originalLink: String?
  private var permalink: String?
  private var contentAddress: String?
  private var enclosureAddress: String?
  private var mediaTitle: String?
  private var otherDescription: String?
  private var subtitle: String?
  private var text: String?
  private var authors = FeedPerson()
  private var creators = FeedPerson()
  private var sourceAuthors = FeedPerson()
  private var dates: [(rank: Int, text: String)] = []
  private var images: [(rank: Int, address: String)] = []

  init(names: FeedNames) { self.names = names }

  mutating func read(_ element: XMLElement, _ base: FeedBase) {
    if let about = element.attribute("rdf:about") {
      item.id = FeedText.trimmed(about)
      if Self.isPage(about) { permalink = base.resolve(about) }
    }
    if let href = element.attribute("href") { permalink = address(href, base) ?? permalink }
    if let changed = element.attribute("lastmod") { dates.append((5, changed)) }
    for child in element.elements { readChild(child, base) }
  }

  private mutating func readChild(_ element: XMLElement, _ outer: FeedBase) {
    let base = outer.entering(element.attribute("xml:base"))
    let isAtom = names.isAtom(element.name)
    let key = names.key(element.name)
    switch key {
    case "title", "dc:title":
      fill(\.title, FeedText(element, isAtom: isAtom, base: base).plain)
    case "description", "summary", "abstract", "dc:description":
      let text = FeedText(element, isAtom: isAtom, base: base).value
      // A summary beside a description is the longer text of some RSS dialects.
      if item.description != nil && key == "summary" {
        XMLFeedReader.fill(&self.text, text)
      } else {
        fill(\.description, text)
      }
    case "itunes:summary":
      XMLFeedReader.fill(
        &otherDescription, FeedText(element, isAtom: false, base: base).value)
    case "itunes:subtitle":
      XMLFeedReader.fill(&subtitle, FeedText(element, isAtom: false, base: base).value)
    case "content":
      if let source = element.attribute("src") { contentAddress = address(source, base) }
      fill(\.content, FeedText(element, isAtom: isAtom, base: base).value)
    case "content:encoded":
      let text = FeedText(element, isAtom: false, base: base).value
      if !text.isEmpty { item.content = text }
    case "xhtml:body", "xhtml:div", "fullitem", "body":
      XMLFeedReader.fill(&text, FeedText(element, isAtom: false, base: base).value)
    case "link": links.add(element, base)
    case "feedburner:origlink": originalLink = address(element.text, base)
    case "guid", "id", "dc:identifier": readIdentifier(element, key, base)
    case "author": authors.add(element, names)
    case "source" where isAtom:
      for author in element.elements where names.key(author.name) == "author" {
        sourceAuthors.add(author, names)
      }
    case "dc:creator", "dc:author", "itunes:author": creators.add(element, names)
    case "category", "dc:subject", "itunes:category", "itunes:keywords", "media:category":
      readCategory(element, key)
    default:
      readDate(element, key)
      readMedia(element, key, base)
    }
  }

  /// An address, resolved; nil for an empty one.
  private func address(_ written: String, _ base: FeedBase) -> String? {
    let address = base.resolve(written)
    return address.isEmpty ? nil : address
  }

  private mutating func readIdentifier(_ element: XMLElement, _ key: String, _ base: FeedBase) {
    var text = FeedText.trimmed(element.text)
    guard !text.isEmpty else { return }
    if key == "id" && base.isDeclared { text = base.resolve(text) }
    if item.id == nil || key != "dc:identifier" { item.id = text }
    let says = element.attribute("ispermalink")?.lowercased()
    if says != "false" && Self.isPage(text) { permalink = base.resolve(text) }
  }

  private mutating func readCategory(_ element: XMLElement, _ key: String) {
    let written =
      element.attribute("term") ?? element.attribute("text")
      ?? FeedText(element, isAtom: false, base: FeedBase(url: nil)).plain
    let all = key == "itunes:keywords" ? written.split(separator: ",").map(String.init) : [written]
    for name in all.map(HTMLMarkup.collapsed)
    where !name.isEmpty && categories.insert(name).inserted {
      item.categories.append(name)
    }
    for inner in element.elements where names.key(inner.name) == key { readCategory(inner, key) }
  }

  private mutating func readDate(_ element: XMLElement, _ key: String) {
    let rank: Int
    switch key {
    case "pubdate", "published", "issued": rank = 0
    case "dc:date", "dcterms:issued", "dcterms:available": rank = 1
    case "created", "dcterms:created": rank = 2
    case "updated", "modified", "dcterms:modified", "lastbuilddate": rank = 3
    default: return
    }
    let text = HTMLMarkup.collapsed(element.text)
    if !text.isEmpty { dates.append((rank, text)) }
  }

  private mutating func readMedia(_ element: XMLElement, _ key: String, _ base: FeedBase) {
    switch key {
    case "enclosure":
      guard let address = element.attribute("url") ?? element.attribute("href") else { return }
      XMLFeedReader.fill(&enclosureAddress, base.resolve(address))
      addImage(2, address, element.attribute("type"), base)
    case "media:content":
      if let address = element.attribute("url") {
        let isImage = element.attribute("medium")?.lowercased() == "image"
        addImage(0, address, isImage ? "image/" : element.attribute("type"), base)
      }
      for child in element.elements { readMedia(child, names.key(child.name), base) }
    case "media:group":
      for child in element.elements { readChild(child, base) }
    case "media:thumbnail":
      addImage(1, element.attribute("url") ?? element.text, "image/", base)
    case "media:title":
      XMLFeedReader.fill(&mediaTitle, FeedText(element, isAtom: false, base: base).plain)
    case "media:description":
      XMLFeedReader.fill(
        &otherDescription, FeedText(element, isAtom: false, base: base).value)
    case "image", "itunes:image":
      let inner = element.elements.first { names.key($0.name) == "url" }?.text
      let address = element.attribute("href") ?? inner ?? (element.hasElements ? "" : element.text)
      addImage(3, address, "image/", base)
    default: break
    }
  }

  private mutating func addImage(
    _ rank: Int, _ written: String, _ type: String?, _ base: FeedBase
  ) {
    let address = base.resolve(written)
    guard !address.isEmpty else { return }
    let path = address.prefix { $0 != "?" }.lowercased()
    let looksIt = [".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"].contains {
      path.hasSuffix($0)
    }
    let says = type?.lowercased().hasPrefix("image/")
    if says ?? looksIt { images.append((rank, address)) }
  }

  private mutating func fill(_ slot: WritableKeyPath<FeedItem, String?>, _ value: String) {
    if item[keyPath: slot] == nil, !value.isEmpty { item[keyPath: slot] = value }
  }

  /// The item; one without an author has those of its feed.
  func item(inheriting feedAuthors: [String]) -> FeedItem {
    var item = item
    item.title = item.title ?? mediaTitle
    item.content = item.content ?? text
    item.description = item.description ?? otherDescription ?? subtitle
    item.url =
      originalLink ?? links.best ?? permalink ?? contentAddress ?? links.document
      ?? enclosureAddress ?? links.enclosures.first?.address
    var people = authors.names
    if people.isEmpty { people = creators.shown }
    if people.isEmpty { people = authors.addresses }
    // Those of the feed that an aggregator took it from, before the aggregator's own.
    if people.isEmpty { people = sourceAuthors.shown }
    if people.isEmpty { people = feedAuthors }
    item.author = people.isEmpty ? nil : people.joined(separator: ", ")
    for date in dates.enumerated().sorted(by: { ($0.1.rank, $0.0) < ($1.1.rank, $1.0) }) {
      if let instant = FeedDate.parse(date.element.text) {
        item.publishedAt = instant
        break
      }
      item.unreadableDate = item.unreadableDate ?? date.element.text
    }
    if item.publishedAt != nil { item.unreadableDate = nil }
    let enclosed = links.enclosures.first { $0.type.hasPrefix("image/") }.map { (2, $0.address) }
    let found = (images + (enclosed.map { [$0] } ?? [])).enumerated()
      .min { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
    item.imageURL =
      found?.element.1 ?? item.content.flatMap(HTMLMarkup.firstImage)
      ?? item.description.flatMap(HTMLMarkup.firstImage)
    return item
  }

  private static func isPage(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return lowered.hasPrefix("http://") || lowered.hasPrefix("https://")
  }
}
