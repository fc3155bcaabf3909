public import AggregateCore

/// Finds the feeds that a web page names with `<link rel="alternate">`.
public enum FeedDiscovery {
  private static let feedTypes = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  ]
  private static let otherTypes = ["text/xml", "application/xml", "application/json"]

  /// The addresses of the feeds, in the order of the page; those that may be something else come last.
  public static func feeds(in page: ByteBuffer, contentType: String?, url: WebURL?) -> [String] {
    feeds(in: EncodingDetection.utf8(page, contentType: contentType, isLenient: true), url: url)
  }

  /// Whether a document is a web page rather than a feed.
  public static func isPage(_ document: ByteBuffer, contentType: String?) -> Bool {
    isPage(EncodingDetection.utf8(document, contentType: contentType, isLenient: true))
  }

  static func feeds(in text: [UInt8], url: WebURL?) -> [String] {
    var found: [String] = []
    var possible: [String] = []
    var base = FeedBase(url: url)
    var i = 0
    while let tag = HTMLMarkup.nextTag(in: text, from: i) {
      i = tag.range.upperBound
      if !tag.isEnd, ["script", "style", "template"].contains(tag.name) {
        i = HTMLMarkup.end(of: tag.name, in: text, from: i)
        continue
      }
      func value(_ name: String) -> String? {
        tag.attributes.first { $0.name == name }
          .map { HTMLEntities.decoded(String(decoding: text[$0.value], as: UTF8.self)) }
      }
      if tag.name == "base" { base = base.entering(value("href")) }
      guard tag.name == "link", let href = value("href"), !href.isEmpty else { continue }
      let relations = value("rel")?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
      let type = value("type")?.lowercased().prefix { $0 != ";" && $0 != " " }
      let address = base.resolve(href)
      if relations.contains("feed")
        || (relations.contains("alternate") && feedTypes.contains { $0 == type ?? "" })
      {
        if !found.contains(address) { found.append(address) }
      } else if relations.contains("alternate"), otherTypes.contains(where: { $0 == type ?? "" }),
        // What WordPress offers to programs is no feed.
        !address.contains("/wp-json/"), !possible.contains(address)
      {
        possible.append(address)
      }
    }
    return found + possible.filter { !found.contains($0) }
  }

  /// Whether the bytes are those of a web page: by the first element, not by the document type alone.
  static func isPage(_ text: [UInt8]) -> Bool {
    let first = text.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return false }
    var i = 0
    var hasDocumentType = false
    while let tag = HTMLMarkup.nextTag(in: text, from: i) {
      if !tag.name.isEmpty {
        return tag.name == "html" || tag.name == "head"
          || (hasDocumentType && ["meta", "title", "body", "script", "link"].contains(tag.name))
      }
      let declaration = String(decoding: text[tag.range].prefix(20), as: UTF8.self).lowercased()
      if declaration.hasPrefix("<!doctype html") { hasDocumentType = true }
      i = tag.range.upperBound
    }
    return hasDocumentType
  }
}
