internal import AggregateCore
internal import AggregateJSON

/// A page of NewsAPI.
struct NewsAPIPayload: Sendable {
  /// An article, or a source of news.
  struct Entry: Sendable {
    var title: String?
    var description: String?
    var author: String?
    var publisher: String?
    var url: String?
    var publishedAt: String?
    var imageURL: String?
    var content: String?
  }

  /// What is on the page.
  var entries: [Entry] = []
  /// How many results there are on all pages.
  var total: Int?
  /// Why no more can be read, when the plan of the key does not allow it.
  var cutOff: String?
}

/// From the body of an answer of NewsAPI to its entries.
struct NewsAPIDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> NewsAPIPayload {
    let root = try JSONDocument(answer: response).root
    if let error = NewsAPIError(root) {
      if error.isCutOff { return NewsAPIPayload(cutOff: error.message) }
      throw AggregateError(
        .rejected, "\(response.url.host) reports \(error.shown)", status: response.status)
    }
    var payload = NewsAPIPayload()
    if let articles = root["articles"], articles.kind == .array {
      payload.entries = try articles.elements.map { article(try checked($0, in: "articles")) }
      payload.total = root["totalResults"]?.int64.map { Int(clamping: $0) }
    } else if let sources = root["sources"], sources.kind == .array {
      payload.entries = try sources.elements.map { source(try checked($0, in: "sources")) }
    } else {
      throw AggregateError(
        .badData, "\(response.url): the answer has neither a list “articles” nor a list “sources”",
        hint:
          "base_urls.newsapi must lead to NewsAPI version 2 or to something that answers like it")
    }
    return payload
  }

  /// An element of a list that can have the fields of an article, rather than give a row of nulls.
  private func checked(_ node: JSONNode, in list: String) throws -> JSONNode {
    if node.kind == .object { return node }
    throw AggregateError(
      .badData, "the list “\(list)” has \(node.shown), where an object is expected",
      hint: "base_urls.newsapi must lead to NewsAPI version 2")
  }

  private func article(_ node: JSONNode) -> NewsAPIPayload.Entry {
    NewsAPIPayload.Entry(
      title: text(node["title"]), description: text(node["description"]),
      author: text(node["author"]), publisher: text(node["source"]?["name"]),
      url: text(node["url"]), publishedAt: text(node["publishedAt"]),
      imageURL: text(node["urlToImage"]), content: text(node["content"]))
  }

  /// A publication: its identifier, which the option `sources` takes, stands where an article has its publisher.
  private func source(_ node: JSONNode) -> NewsAPIPayload.Entry {
    let facts = ["category", "language", "country"].compactMap { text(node[$0]) }
    return NewsAPIPayload.Entry(
      title: text(node["name"]), description: text(node["description"]),
      publisher: text(node["id"]) ?? text(node["name"]), url: text(node["url"]),
      content: facts.isEmpty ? nil : facts.joined(separator: ", "))
  }

  /// The text, with line ends as line feeds; nil for null and for nothing but space.
  private func text(_ node: JSONNode?) -> String? {
    guard let text = node?.string ?? node?.numberText else { return nil }
    var bytes = Array(text.utf8)
    if bytes.contains(13) {
      bytes = bytes.indices.filter {
        !(bytes[$0] == 13 && $0 + 1 < bytes.count && bytes[$0 + 1] == 10)
      }.map { bytes[$0] == 13 ? 10 : bytes[$0] }
    }
    return bytes.allSatisfy { $0 <= 0x20 } ? nil : String(decoding: bytes, as: UTF8.self)
  }
}
