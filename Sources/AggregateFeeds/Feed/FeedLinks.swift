/// The links of a feed or an item, by what they are for.
struct FeedLinks {
  private var pages: [String] = []
  private var otherPages: [String] = []
  private var documents: [String] = []
  /// What the links with `rel="enclosure"` lead to.
  private(set) var enclosures: [(address: String, type: String)] = []

  /// Takes a `link` element: the address as text, or in `href` with the relation in `rel`.
  mutating func add(_ element: XMLElement, _ base: FeedBase) {
    guard let href = element.attribute("href") else {
      let address = base.resolve(element.text)
      if !address.isEmpty { pages.append(address) }
      return
    }
    let address = base.resolve(href)
    if address.isEmpty { return }
    let type = element.attribute("type")?.lowercased() ?? ""
    var relation = element.attribute("rel")?.lowercased() ?? "alternate"
    if let slash = relation.lastIndex(of: "/"), relation.contains("iana.org") {
      relation = String(relation[relation.index(after: slash)...])
    }
    switch relation {
    case "alternate", "":
      if type.isEmpty || type.contains("html") || type.hasPrefix("text/") {
        pages.append(address)
      } else {
        otherPages.append(address)
      }
    case "enclosure": enclosures.append((address, type))
    case "self": documents.append(address)
    default: break
    }
  }

  /// The page, when a link leads to one.
  var best: String? { pages.first ?? otherPages.first }
  /// The address of the entry's own document, for want of a page.
  var document: String? { documents.first }
}
