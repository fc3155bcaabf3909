public import AggregateCore

/// Reads feeds: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, CDF and JSON Feed.
public enum FeedParser {
  /// Reads a feed; what is malformed is read as far as it makes sense.
  ///
  /// - Parameters:
  ///   - contentType: The `Content-Type` of the answer, for its character encoding.
  ///   - url: Where the feed came from, for relative addresses.
  /// - Throws: ``AggregateError``: `badData` when it is not a feed, saying what it is instead;
  ///   `limit` for hostile documents; `configuration` when libxml2 is not installed.
  public static func parse(
    _ bytes: ByteBuffer, contentType: String? = nil, url: WebURL? = nil
  ) throws -> Feed {
    let text = EncodingDetection.utf8(bytes, contentType: contentType, isLenient: true)
    guard let first = text.first(where: { $0 > 0x20 }) else {
      throw AggregateError(
        .badData, "the body is empty, where a feed is expected",
        hint: "is the address that of the feed, and does it need a login?")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return try JSONFeedReader.read(text, url: url)
    }
    guard text.contains(UInt8(ascii: "<")) else { throw notAFeed(text, contentType) }
    if FeedDiscovery.isPage(text, contentType) { throw page(text, url) }
    let document: XMLDocument
    do {
      document = try XMLDocument(text: text, mode: .recovering)
    } catch let error as AggregateError where error.code == .badData {
      throw first == UInt8(ascii: "<") ? error : notAFeed(text, contentType)
    }
    let root = unwrapped(document.root)
    if var feed = XMLFeedReader.read(root, url: url) {
      feed.repairs = document.repairs
      return feed
    }
    if root.name.local.lowercased() == "html" { throw page(text, url) }
    throw AggregateError(
      .badData, "an XML document with the element <\(root.name.written)> outside is not a feed",
      hint: "RSS has <rss> or <rdf:RDF> there, and Atom <feed>; other XML is read with format: xml")
  }

  /// The feed inside a web page that holds nothing else.
  private static func unwrapped(_ root: XMLElement) -> XMLElement {
    var element = root
    while ["html", "body"].contains(element.name.local.lowercased()),
      let inner = element.elements.first
    {
      element = inner
    }
    return ["feed", "rss", "rdf"].contains(element.name.local.lowercased()) ? element : root
  }

  private static func page(_ text: [UInt8], _ url: WebURL?) -> AggregateError {
    let feeds = FeedDiscovery.feeds(in: text, url: url)
    return AggregateError(
      .badData, "a web page (HTML) was received, where a feed is expected",
      hint: feeds.isEmpty
        ? "the page names no feed: give the feed's own address, often that of the site with /feed or "
          + "/rss.xml behind it"
        : "its feed is \(feeds.prefix(3).joined(separator: " or "))")
  }

  private static func notAFeed(_ text: [UInt8], _ contentType: String?) -> AggregateError {
    AggregateError(
      .badData,
      "the body is neither XML nor JSON" + (contentType.map { " (\($0))" } ?? "")
        + ", where a feed is expected",
      hint: "it begins with “\(Received.beginning(of: text))”")
  }
}
