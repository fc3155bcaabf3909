internal import AggregateCore

/// Reads RSS of all versions, RDF channels, Atom and CDF from a tree of elements.
///
/// One reader for all: feeds mix the vocabularies, and an element means the same in each.
struct XMLFeedReader {
  private let names: FeedNames
  private let root: XMLElement
  private var feed = Feed()
  private var authors: [String] = []

  /// Reads a feed; nil when the document is something else.
  static func read(_ root: XMLElement, url: WebURL?) -> Feed? {
    var reader = XMLFeedReader(names: FeedNames(root: root), root: root)
    guard
      ["rss", "rdf:rdf", "rdf", "feed", "channel", "entry"].contains(
        reader.names.key(root.name))
    else { return nil }
    return reader.read(FeedBase(url: url))
  }

  private init(names: FeedNames, root: XMLElement) {
    self.names = names
    self.root = root
  }

  private mutating func read(_ outer: FeedBase) -> Feed {
    let base = outer.entering(root.attribute("xml:base"))
    let key = names.key(root.name)
    if key == "entry" {
      readItem(root, outer)
      return feed
    }
    var channelBase = base
    var channel = root
    if key != "feed", key != "channel",
      let inner = root.elements.first(where: { names.key($0.name) == "channel" })
    {
      channel = inner
      channelBase = base.entering(channel.attribute("xml:base"))
    }
    readChannel(channel, channelBase)
    // RDF has the picture beside the channel.
    for element in root.elements where names.key(element.name) == "image" {
      Self.fill(&feed.imageURL, imageAddress(element, channelBase))
    }
    // RSS has no xml:base of its own: addresses relative to the page are the best guess left.
    if channelBase.url == nil, let page = feed.url.flatMap({ WebURL($0) }) {
      collectItems(root, FeedBase(url: page))
    } else {
      collectItems(root, outer)
    }
    return feed
  }

  private mutating func readChannel(_ channel: XMLElement, _ base: FeedBase) {
    var links = FeedLinks()
    for element in channel.elements {
      let inner = base.entering(element.attribute("xml:base"))
      let isAtom = names.isAtom(element.name)
      switch names.key(element.name) {
      case "title", "dc:title":
        Self.fill(&feed.title, FeedText(element, isAtom: isAtom, base: inner).plain)
      case "description", "subtitle", "tagline", "abstract", "dc:description":
        Self.fill(
          &feed.description, FeedText(element, isAtom: isAtom, base: inner).value)
      case "link": links.add(element, inner)
      case "logo", "icon": Self.fill(&feed.imageURL, inner.resolve(element.text))
      case "image", "itunes:image": Self.fill(&feed.imageURL, imageAddress(element, inner))
      case "author":
        if isAtom || channel.name.local.lowercased() == "feed" {
          authors += FeedPerson(element, names).shown
        }
      default: break
      }
    }
    feed.url = links.best ?? channel.attribute("href").map(base.resolve)
  }

  /// Reads the items wherever they stand: malformed feeds nest them in one another.
  private mutating func collectItems(_ element: XMLElement, _ outer: FeedBase) {
    let base = outer.entering(element.attribute("xml:base"))
    for child in element.elements {
      let key = names.key(child.name)
      if key == "item" || key == "entry" { readItem(child, base) }
      collectItems(child, base)
    }
  }

  private mutating func readItem(_ item: XMLElement, _ outer: FeedBase) {
    var parts = FeedItemParts(names: names)
    parts.read(item, outer.entering(item.attribute("xml:base")))
    feed.items.append(parts.item(inheriting: authors))
  }

  private func imageAddress(_ element: XMLElement, _ base: FeedBase) -> String? {
    let url = element.elements.first { names.key($0.name) == "url" }?.text
    let address = element.attribute("href") ?? url ?? (element.hasElements ? nil : element.text)
    return address.map(base.resolve)
  }

  static func fill(_ slot: inout String?, _ value: String?) {
    if slot == nil, let value, !value.isEmpty { slot = value }
  }
}
