internal import AggregateCore

/// What the names of elements mean where the structure of a feed is to be mended.
enum FeedVocabulary {
  /// What an element of a name may hold, and what its beginning says about those before it.
  enum Kind {
    /// An item or entry: no other is open where it begins.
    case item
    /// What holds items.
    case container
    /// A value that never holds another element of the feed: an address, an identifier, a date.
    case plain
    /// Any other part of a feed or an item; may hold markup, or further parts.
    case part
    /// HTML without content and without an end tag.
    case void
    /// Other HTML.
    case html
    /// Neither of feeds nor of HTML.
    case unknown
  }

  /// The kind of an element by its key, as ``FeedNames`` gives it; a name with a prefix that is
  /// bound belongs to an extension, unless it is one of markup.
  static func kind(key: String, hasBoundPrefix: Bool) -> Kind {
    if key == "item" || key == "entry" { return .item }
    if containers.contains(key) { return .container }
    if plain.contains(key) { return .plain }
    if parts.contains(key) { return .part }
    if let colon = key.firstIndex(of: ":") {
      let prefix = key[..<colon]
      if prefix == "xhtml" { return .html }
      return extensions.contains(String(prefix)) || hasBoundPrefix ? .part : .unknown
    }
    if HTMLMarkup.isVoid(key) { return .void }
    return HTMLMarkup.isElement(key) ? .html : .unknown
  }

  /// Whether the namespace is one of markup rather than of data.
  static func isMarkup(_ namespace: String) -> Bool {
    let name = namespace.lowercased()
    return name.hasSuffix("/xhtml") || name.hasSuffix("/svg") || name.contains("/math/")
  }

  /// The elements of HTML inside which a name that feeds share with HTML is HTML's.
  static func hosts(of key: String) -> [String] {
    switch key {
    case "title": ["svg", "head"]
    case "summary": ["details"]
    case "source": ["picture", "video", "audio"]
    case "link": ["head"]
    case "image": ["svg"]
    default: []
    }
  }

  /// Whether a tag with the name of an item, or of what every item has, begins at `i`.
  static func begins(_ bytes: [UInt8], _ i: Int) -> Bool {
    guard i + 1 < bytes.count else { return false }
    let start = bytes[i + 1] == UInt8(ascii: "/") ? i + 2 : i + 1
    var end = start
    while end < bytes.count, XMLCleaner.isNameByte(bytes[end]), end - start <= 15 { end += 1 }
    guard end > start else { return false }
    return core.contains(String(decoding: bytes[start..<end], as: UTF8.self).lowercased())
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(separator: " ").map(String.init))
  }

  private static let core = words(
    "item entry title link guid pubdate description summary author category channel content:encoded "
      + "content published updated dc:creator dc:date enclosure")
  private static let containers = words("rss rdf:rdf rdf feed channel")
  private static let plain = words(
    "link guid id pubdate published updated issued created modified lastbuilddate comments "
      + "feedburner:origlink dc:date dcterms:issued dcterms:created dcterms:modified "
      + "dcterms:available language ttl docs managingeditor webmaster url uri email")
  private static let parts = words(
    "title description summary abstract content fullitem author contributor category source "
      + "enclosure image logo icon rights copyright generator subtitle tagline textinput cloud rating "
      + "skiphours skipdays name info")
  private static let extensions = words("dc dcterms content media itunes feedburner")
}
