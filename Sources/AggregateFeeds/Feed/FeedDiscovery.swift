public import AggregateCore

/// Finds the feeds that a web page names with `<link rel="alternate">`.
public enum FeedDiscovery {
  private static let types = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
    "text/xml", "application/xml", "application/json",
  ]

  /// The addresses of the feeds, in the order of the page.
  public static func feeds(in page: ByteBuffer, contentType: String?, url: WebURL?) -> [String] {
    feeds(in: EncodingDetection.utf8(page, contentType: contentType), url: url)
  }

  /// Whether a document is a web page rather than a feed.
  public static func isPage(_ document: ByteBuffer, contentType: String?) -> Bool {
    isPage(EncodingDetection.utf8(document, contentType: contentType))
  }

  static func feeds(in text: [UInt8], url: WebURL?) -> [String] {
    var found: [String] = []
    var base = FeedBase(url: url)
    var i = 0
    while let tag = HTMLMarkup.nextTag(in: text, from: i) {
      i = tag.range.upperBound
      func value(_ name: String) -> String? {
        tag.attributes.first { $0.name == name }
          .map { HTMLEntities.decoded(String(decoding: text[$0.value], as: UTF8.self)) }
      }
      if tag.name == "base" { base = base.entering(value("href")) }
      guard tag.name == "link", let href = value("href"), !href.isEmpty,
        value("rel")?.lowercased().split(separator: " ").contains("alternate") ?? false,
        types.contains(value("type")?.lowercased() ?? "")
      else { continue }
      let address = base.resolve(href)
      if !found.contains(address) { found.append(address) }
    }
    return found
  }

  /// Whether the bytes are those of a web page: by the first element, not by the document type alone.
  static func isPage(_ text: [UInt8]) -> Bool {
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
