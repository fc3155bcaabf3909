public import AggregateCore

/// Finds the feeds that a web page names with `<link rel="alternate">`, or a header `Link`.
public enum FeedDiscovery {
  private static let feedTypes = [
    "application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml",
  ]
  private static let otherTypes = ["text/xml", "application/xml", "application/json"]

  /// The addresses of the feeds, in the order of the page: those of comments behind the others, and
  /// last those that may be something else.
  public static func feeds(in page: ByteBuffer, contentType: String?, url: WebURL?) -> [String] {
    feeds(in: EncodingDetection.utf8(page, contentType: contentType, isLenient: true), url: url)
  }

  /// The addresses of the feeds that the header `Link` of an answer names, in the same order.
  public static func feeds(inHeader header: String, url: WebURL?) -> [String] {
    var found = Found(base: FeedBase(url: url))
    for link in LinkHeader.links(in: header) {
      found.add(
        link.target, relation: link.parameters["rel"], type: link.parameters["type"],
        title: link.parameters["title"])
    }
    return found.all
  }

  /// Whether a document is a web page rather than a feed.
  public static func isPage(_ document: ByteBuffer, contentType: String?) -> Bool {
    isPage(
      EncodingDetection.utf8(document, contentType: contentType, isLenient: true), contentType)
  }

  static func feeds(in text: [UInt8], url: WebURL?) -> [String] {
    var found = Found(base: FeedBase(url: url))
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
      if tag.name == "base" { found.base = found.base.entering(value("href")) }
      guard tag.name == "link", let href = value("href") else { continue }
      found.add(href, relation: value("rel"), type: value("type"), title: value("title"))
    }
    return found.all
  }

  /// The feeds found so far, each once.
  private struct Found {
    var base: FeedBase
    private var feeds: [String] = []
    private var comments: [String] = []
    private var possible: [String] = []

    init(base: FeedBase) { self.base = base }

    var all: [String] {
      let certain = feeds + comments.filter { !feeds.contains($0) }
      return certain + possible.filter { !certain.contains($0) }
    }

    mutating func add(_ href: String, relation: String?, type: String?, title: String?) {
      let address = FeedDiscovery.plainAddress(base.resolve(href))
      let lowered = address.lowercased()
      guard !address.isEmpty, !lowered.hasPrefix("javascript:"), !lowered.hasPrefix("data:")
      else { return }
      let relations = relation?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
      let type = type?.lowercased().prefix { $0 != ";" && $0 != " " } ?? ""
      let isAlternate = relations.contains("alternate")
      if relations.contains("feed") || (isAlternate && feedTypes.contains { $0 == type }) {
        if isOfComments(lowered, title?.lowercased() ?? "") {
          if !comments.contains(address) { comments.append(address) }
        } else if !feeds.contains(address) {
          feeds.append(address)
        }
      } else if isAlternate, otherTypes.contains(where: { $0 == type }),
        // What WordPress offers to programs is no feed.
        !address.contains("/wp-json/"), !possible.contains(address)
      {
        possible.append(address)
      }
    }

    private func isOfComments(_ address: String, _ title: String) -> Bool {
      let path = address.split(separator: "/", maxSplits: 2).last ?? ""
      return ["comment", "komment", "coment"].contains { path.contains($0) }
        || ["comment", "komment", "coment", "reacties", "yorum"].contains { title.contains($0) }
    }
  }

  /// `feed://host/path` and `feed:https://host/path` as what they stand for.
  public static func plainAddress(_ address: String) -> String {
    guard address.lowercased().hasPrefix("feed:") else { return address }
    let rest = address.dropFirst(5)
    return rest.hasPrefix("//") ? "http:\(rest)" : String(rest)
  }

  /// Whether the bytes are those of a web page: by the first element, not by the document type alone.
  ///
  /// A page may begin with any element of HTML, when its content type says that it is one; but not
  /// when a feed follows, which some programs put behind their warnings.
  static func isPage(_ text: [UInt8], _ contentType: String?) -> Bool {
    let first = text.first { $0 > 0x20 }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return false }
    let type = contentType?.lowercased() ?? ""
    let saysHTML = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml+xml")
    var i = 0
    var hasDocumentType = false
    var isWrapped = false
    while let tag = HTMLMarkup.nextTag(in: text, from: i) {
      if !tag.name.isEmpty {
        if isWrapped, ["rss", "feed", "rdf:rdf"].contains(tag.name) { return false }
        if !tag.isEnd, tag.name == "html" || tag.name == "body" {
          // Some programs put a feed into a page of its own.
          isWrapped = true
          i = tag.range.upperBound
          continue
        }
        if isWrapped || tag.name == "head" { return true }
        if hasDocumentType, ["meta", "title", "script", "link"].contains(tag.name) {
          return true
        }
        guard saysHTML ? HTMLMarkup.isElement(tag.name) : pageStarts.contains(tag.name) else {
          return false
        }
        return !XMLCleaner.namesFeed(text, from: tag.range.lowerBound)
      }
      let declaration = String(decoding: text[tag.range].prefix(20), as: UTF8.self).lowercased()
      if declaration.hasPrefix("<!doctype html") { hasDocumentType = true }
      i = tag.range.upperBound
    }
    return hasDocumentType || isWrapped
  }

  // What no other XML begins with.
  private static let pageStarts = [
    "title", "meta", "base", "script", "h1", "p", "div", "br",
  ]
}
