/// The names of elements in feeds, whatever prefix or namespace address they were written with.
struct FeedNames {
  /// The namespace of the outermost element, whose elements are the feed's own.
  private let own: String?

  init(root: XMLElement) { own = root.name.namespace }

  init(own: String?) { self.own = own }

  /// The name in lower case: plain for RSS, RDF channels and Atom, `dc:date` and so on for the known
  /// extensions, with a `?:` before it for any other namespace.
  func key(_ name: XMLName) -> String {
    let local = name.local.lowercased()
    guard let namespace = name.namespace else {
      guard let prefix = name.prefix?.lowercased() else { return local }
      switch prefix {
      case "rss", "atom", "atom10", "a10", "a": return local
      case "dc", "dcterms", "content", "media", "itunes", "rdf", "xhtml", "feedburner":
        return "\(prefix):\(local)"
      default: return "?:\(local)"
      }
    }
    if let prefix = Self.prefix(of: namespace) { return prefix.isEmpty ? local : prefix + local }
    return namespace == own ? local : "?:\(local)"
  }

  /// Whether the name is in one of Atom's namespaces.
  func isAtom(_ name: XMLName) -> Bool {
    guard let namespace = name.namespace else { return false }
    return Self.normalized(namespace).hasPrefix("www.w3.org/2005/atom")
      || Self.normalized(namespace).hasPrefix("purl.org/atom/")
  }

  static func prefix(of namespace: String) -> String? {
    let name = normalized(namespace)
    if let known = exact[name] { return known }
    for (beginning, prefix) in beginnings where name.hasPrefix(beginning) { return prefix }
    return nil
  }

  /// Without scheme, surrounding space and final slash, in lower case: as authors vary them.
  private static func normalized(_ namespace: String) -> String {
    var text = HTMLMarkup.collapsed(namespace).lowercased()
    for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
      text.removeFirst(scheme.count)
    }
    while text.hasSuffix("/") || text.hasSuffix("#") { text.removeLast() }
    return text
  }

  private static let exact: [String: String] = [
    "": "", "purl.org/rss/1.0": "", "purl.org/net/rss1.1": "",
    "purl.org/rss/1.0/modules/content": "content:", "purl.org/dc/terms": "dcterms:",
    "search.yahoo.com/mrss": "media:", "video.search.yahoo.com/mrss": "media:",
    "www.w3.org/1999/xhtml": "xhtml:", "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf:",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner:", "www.w3.org/2005/atom": "",
  ]

  private static let beginnings: [(String, String)] = [
    ("purl.org/dc/elements", "dc:"), ("purl.org/atom", ""), ("my.netscape.com/rdf", ""),
    ("my.netscape.com/publish", ""), ("channel.netscape.com/rdf", ""),
    ("backend.userland.com/rss", ""), ("blogs.law.harvard.edu/tech/rss", ""),
    ("cyber.law.harvard.edu/rss", ""), ("www.rssboard.org", ""),
    ("www.itunes.com/dtds/podcast", "itunes:"), ("example.com/dtds/podcast", "itunes:"),
    ("search.yahoo.com/mrss", "media:"),
  ]
}
