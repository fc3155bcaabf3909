internal import AggregateCore
internal import AggregateJSON

/// Reads JSON Feed 1.0 and 1.1; values of a wrong type are left out.
enum JSONFeedReader {
  /// Reads a feed.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when it is not JSON, or not a JSON Feed.
  static func read(_ bytes: [UInt8], url: WebURL?) throws -> Feed {
    let root = try JSONDocument(parsing: ByteBuffer(bytes)).root
    // Many an API has “items”, which would give rows of nulls.
    let version = root["version"]?.string ?? ""
    let isFeed =
      version.contains("jsonfeed.org/version/")
      || (["1", "1.0", "1.1"].contains(version) && root["items"]?.kind == .array)
    guard root.kind == .object, isFeed else { throw notAFeed(root) }
    var feed = Feed()
    let base = FeedBase(url: url)
    feed.title = plain(root["title"])
    feed.description = text(root["description"])
    feed.url = text(root["home_page_url"]).map(base.resolve)
    feed.imageURL = (text(root["icon"]) ?? text(root["favicon"])).map(base.resolve)
    let authors = people(root)
    if let items = root["items"], items.kind == .array {
      for item in items.elements where item.kind == .object {
        feed.items.append(read(item, base, authors))
      }
    }
    return feed
  }

  private static func read(_ node: JSONNode, _ base: FeedBase, _ feedAuthors: [String]) -> FeedItem
  {
    var item = FeedItem()
    item.id = text(node["id"]) ?? node["id"]?.numberText
    item.title = plain(node["title"])
    item.url = (text(node["url"]) ?? text(node["external_url"])).map(base.resolve)
    if item.url == nil, let id = item.id, id.hasPrefix("http://") || id.hasPrefix("https://") {
      item.url = id
    }
    item.description = text(node["summary"])
    item.content =
      text(node["content_html"]).map { HTMLMarkup.resolvingLinks($0, base) }
      ?? text(node["content_text"])
    let authors = people(node)
    item.author = (authors.isEmpty ? feedAuthors : authors).joined(separator: ", ")
    if item.author == "" { item.author = nil }
    for key in ["date_published", "date_modified"] {
      guard item.publishedAt == nil, let date = text(node[key]) ?? node[key]?.numberText else {
        continue
      }
      item.publishedAt = FeedDate.parse(date)
      if item.publishedAt == nil { item.unreadableDate = item.unreadableDate ?? date }
    }
    if item.publishedAt != nil { item.unreadableDate = nil }
    item.imageURL =
      (text(node["image"]) ?? text(node["banner_image"]) ?? attachedImage(node)).map(base.resolve)
      ?? item.content.flatMap(HTMLMarkup.firstImage)
    var known: Set<String> = []
    item.categories = elements(node["tags"]).compactMap(text).filter { known.insert($0).inserted }
    return item
  }

  private static func attachedImage(_ node: JSONNode) -> String? {
    elements(node["attachments"]).first {
      text($0["mime_type"])?.lowercased().hasPrefix("image/") ?? false
    }.flatMap { text($0["url"]) }
  }

  private static func people(_ node: JSONNode) -> [String] {
    var all = elements(node["authors"])
    if all.isEmpty {
      all = elements(node["author"])
      // A mere name, or one person where a list is expected, is what some write.
      for key in ["authors", "author"] where all.isEmpty {
        if let author = node[key], author.kind != .array { all = [author] }
      }
    }
    return all.compactMap { plain($0) ?? plain($0["name"]) ?? text($0["url"]) }
  }

  private static func elements(_ node: JSONNode?) -> [JSONNode] {
    guard let node, node.kind == .array else { return [] }
    return Array(node.elements)
  }

  private static func text(_ node: JSONNode?) -> String? {
    guard let text = node?.string else { return nil }
    let trimmed = FeedText.trimmed(text)
    return trimmed.isEmpty ? nil : trimmed
  }

  private static func plain(_ node: JSONNode?) -> String? {
    guard let text = node?.string else { return nil }
    // Titles and names are plain text there: what looks like markup is meant so. But what has
    // references for all that would need one was escaped by a program that thought of HTML.
    let isEscaped =
      !text.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") }
      && !HTMLEntities.hasBareAmpersand(text)
    let plain = HTMLMarkup.collapsed(isEscaped ? HTMLEntities.decoded(text) : text)
    return plain.isEmpty ? nil : plain
  }

  private static func notAFeed(_ root: JSONNode) -> AggregateError {
    let found: String
    if root.kind == .object {
      let keys = root.members.prefix(6).compactMap { $0.key.string }
      found =
        keys.isEmpty ? "an empty JSON object" : "a JSON object with \(keys.joined(separator: ", "))"
    } else {
      found = root.kind == .array ? "a JSON array" : "a JSON value"
    }
    return AggregateError(
      .badData, "\(found) was received, where a feed is expected",
      hint:
        "a JSON Feed has “version: https://jsonfeed.org/version/1.1” and “items”; other JSON is read with format: json"
    )
  }
}
