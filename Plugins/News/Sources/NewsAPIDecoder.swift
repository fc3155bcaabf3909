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
    /// What identifies a publication; the rest as well is of publications only.
    var id: String?
    var category: String?
    var language: String?
    var country: String?

    /// Whether its publisher took it back.
    var isRemoved: Bool { NewsAPIRowMapper.isRemoved(title: title, url: url) }
  }

  /// Something in the list that can't have the fields of an article, which would be a row of nulls.
  struct Malformed: Sendable {
    /// Where in the list, from 0.
    let index: Int
    /// The name of the list, and what stands in it.
    let list: String
    let shown: String

    func error(at url: WebURL) -> AggregateError {
      AggregateError(
        .badData, "\(url): the list “\(list)” has \(shown), where an object is expected",
        hint: "base_urls.newsapi must lead to NewsAPI version 2; on_error: skip leaves it out")
    }
  }

  /// What is on the page.
  var entries: [Entry] = []
  /// What is on the page and can't be read.
  var malformed: [Malformed] = []
  /// How many elements the list of the page has.
  var count: Int { entries.count + malformed.count }
  /// How many results there are on all pages.
  var total: Int?
  /// Why no more can be read, when the plan of the key does not allow it.
  var cutOff: String?
  /// How many results the plan allows to read, where the refusal says it.
  var most: Int?
}

/// From the body of an answer of NewsAPI to its entries.
struct NewsAPIDecoder: PayloadDecoder {
  func decode(_ response: HTTPResponse) throws -> NewsAPIPayload {
    let root = try root(of: response)
    if let error = NewsAPIError(root) {
      if error.isCutOff {
        return NewsAPIPayload(
          cutOff: error.message + (error.advice.map { " (\($0))" } ?? ""), most: error.mostResults)
      }
      throw AggregateError(
        .rejected, "\(response.url.host) reports \(error.shown)", status: response.status)
    }
    if let articles = root["articles"], articles.kind == .array {
      var payload = page(articles, "articles", article)
      payload.total = root["totalResults"].flatMap(count)
      return payload
    }
    if let sources = root["sources"], sources.kind == .array {
      var payload = page(sources, "sources", source)
      // They are never paged.
      payload.total = payload.count
      return payload
    }
    throw AggregateError(
      .badData, "\(response.url): the answer has neither a list “articles” nor a list “sources”",
      hint: Self.hint)
  }

  private static let hint =
    "base_urls.newsapi must lead to NewsAPI version 2 or to something that answers like it"

  private func root(of response: HTTPResponse) throws -> JSONNode {
    do {
      return try JSONDocument(answer: response).root
    } catch var error as AggregateError {
      error.hint = error.hint ?? Self.hint
      throw error
    }
  }

  private func page(
    _ list: JSONNode, _ name: String, _ read: (JSONNode) -> NewsAPIPayload.Entry
  ) -> NewsAPIPayload {
    var payload = NewsAPIPayload()
    for (index, node) in list.elements.enumerated() {
      if node.kind == .object {
        payload.entries.append(read(node))
      } else {
        payload.malformed.append(.init(index: index, list: name, shown: node.shown))
      }
    }
    return payload
  }

  /// A number of articles, also one that stands as text; nil when it is none.
  private func count(_ node: JSONNode) -> Int? {
    if let whole = node.int64 { return Int(clamping: whole) }
    guard let text = node.numberText ?? node.string, let number = Double(text) else { return nil }
    return Int(exactly: number)
  }

  private func article(_ node: JSONNode) -> NewsAPIPayload.Entry {
    NewsAPIPayload.Entry(
      title: text(node["title"]), description: text(node["description"]),
      author: text(node["author"]), publisher: publisher(node["source"]),
      url: text(node["url"]), publishedAt: text(node["publishedAt"]),
      imageURL: text(node["urlToImage"]), content: text(node["content"]))
  }

  /// The name of a publication, else its identifier, else the text that stands for both.
  private func publisher(_ node: JSONNode?) -> String? {
    node?.kind == .object ? text(node?["name"]) ?? text(node?["id"]) : text(node)
  }

  /// A publication: its identifier, which the option `sources` takes, stands where an article has its publisher.
  private func source(_ node: JSONNode) -> NewsAPIPayload.Entry {
    let facts = ["category", "language", "country"].compactMap { text(node[$0]) }
    let id = text(node["id"]) ?? text(node["name"])
    return NewsAPIPayload.Entry(
      title: text(node["name"]), description: text(node["description"]), publisher: id,
      url: text(node["url"]), content: facts.isEmpty ? nil : facts.joined(separator: ", "), id: id,
      category: text(node["category"]), language: text(node["language"]),
      country: text(node["country"]))
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
