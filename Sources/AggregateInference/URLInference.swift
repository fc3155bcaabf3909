package import AggregateCore
import AggregateFeeds
import AggregateFormats
import AggregateJSON
import AggregateRun

/// Writes a declaration for an address, asking it a few times.
package struct URLInference {
  /// A secret of the request, and how it is declared.
  package enum Secret {
    case bearer(String)
    case key(place: String, name: String, value: String)
  }

  let url: WebURL
  let name: String
  /// Header fields that are no secrets.
  let headers: [HTTPField]
  let secret: Secret?
  let client: any HTTPClient
  let log: RunLog

  /// Creates an inference.
  ///
  /// - Parameters:
  ///   - headers: Header fields that are no secrets.
  ///   - secret: A secret of the request, which is not written out.
  package init(
    url: WebURL, name: String, headers: [HTTPField], secret: Secret?, client: any HTTPClient,
    log: RunLog
  ) {
    self.url = url
    self.name = name
    self.headers = headers
    self.secret = secret
    self.client = client
    self.log = log
  }

  /// The text of the declaration.
  ///
  /// - Throws: ``AggregateError`` when the address does not answer with data.
  package func declaration() async throws -> String {
    let response = try await ask(url)
    let type = response.header("Content-Type")
    guard response.body.count > 0, let first = firstByte(response.body) else {
      throw AggregateError(
        .badData, "\(url) answered with nothing, status \(response.status)",
        hint: "name an address that has data now")
    }
    if FeedDiscovery.isPage(response.body, contentType: type) {
      return try await page(response, type)
    }
    if first == UInt8(ascii: "<") {
      if let feed = try? FeedParser.parse(response.body, contentType: type, url: response.url) {
        return news(feed, at: url.description)
      }
      let json = try XMLRecords.json(from: response.body, contentType: type)
      return try await documents(JSONDocument(parsing: json), response, format: "xml")
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      if let document = try? JSONDocument(parsing: response.body) {
        if document.root["version"]?.string?.contains("jsonfeed.org") == true,
          let feed = try? FeedParser.parse(response.body, contentType: type, url: response.url)
        {
          return news(feed, at: url.description)
        }
        return try await documents(document, response, format: "json")
      }
    }
    return try await table(response)
  }

  private func firstByte(_ body: ByteBuffer) -> UInt8? {
    body.withUnsafeBytes { bytes in
      let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      return bytes.dropFirst(start).first { $0 > 32 }
    }
  }

  private func ask(_ url: WebURL) async throws -> HTTPResponse {
    var credentials: [Credential] = []
    switch secret {
    case .bearer(let token):
      credentials = [.header(name: "Authorization", value: "Bearer \(token)")]
    case .key("query", let name, let value): credentials = [.query(name: name, value: value)]
    case .key(_, let name, let value): credentials = [.header(name: name, value: value)]
    case nil: break
    }
    return try await client.send(
      HTTPRequest("GET", url, headers: headers, credentials: credentials))
  }

  // MARK: Feeds

  private func page(_ response: HTTPResponse, _ type: String?) async throws -> String {
    let feeds = FeedDiscovery.feeds(in: response.body, contentType: type, url: response.url)
    for address in feeds.prefix(3) {
      guard let feedURL = WebURL(address), let answer = try? await ask(feedURL),
        let feed = try? FeedParser.parse(
          answer.body, contentType: answer.header("Content-Type"), url: answer.url)
      else { continue }
      return news(feed, at: address, page: true, others: feeds.filter { $0 != address })
    }
    throw AggregateError(
      .badData,
      "\(url) is a web page"
        + (feeds.isEmpty ? " that names no feed" : ", and the feeds that it names can't be read"),
      hint:
        "the network tab of a browser shows where the page has its data from: infer that address")
  }

  private func news(
    _ feed: Feed, at address: String, page: Bool = false, others: [String] = []
  ) -> String {
    var text = DeclarationText(name: name, origin: shown, provider: "news")
    text.add("service", "feeds", page ? "the page names this feed" : "the answer is a feed")
    text.add(
      "feeds", "[\(EscapedText.quoted(address.replacing("${", with: "$${")))]",
      "\(feed.items.count) entries" + (feed.title.map { ": \($0)" } ?? ""))
    for other in others.prefix(5) { text.remark("the page names another feed: \(other)") }
    text.remark("columns: \(FeedRows.schema.names.joined(separator: ", "))")
    return text.text
  }

  // MARK: Documents

  private func documents(
    _ document: JSONDocument, _ response: HTTPResponse, format: String
  ) async throws -> String {
    let places = RecordFinder.places(in: document.root)
    let place = places.first
    let records = place?.records ?? [document.root]
    var paging: InferredPaging?
    if let place {
      let path = try? JSONPath(parsing: place.path)
      var finder = PagingFinder(
        url: url, response: response, root: document.root, records: records,
        ask: { next in
          do {
            let answer = try await self.ask(next)
            let json =
              format == "xml"
              ? try XMLRecords.json(from: answer.body, contentType: answer.header("Content-Type"))
              : answer.body
            let root = try JSONDocument(parsing: json).root
            return (path?.nodes(in: root) ?? [], root)
          } catch is AggregateError {
            try Task.checkCancellation()
            return nil
          }
        })
      paging = try await finder.find()
    }
    var text = request(without: paging?.parameters ?? [])
    let kind = response.header("Content-Type").map { ", answered as \($0)" } ?? ""
    if format == "xml" { text.add("format", "xml", "the body is XML\(kind)") }
    if let place {
      text.add("records", YAMLText.path(place.path), "\(records.count) records\(kind)")
      for other in places.dropFirst().prefix(3) {
        text.remark("other lists: \(other.path) (\(other.records.count))")
      }
    } else {
      text.remark("the answer is one record\(kind)")
    }
    if let paging {
      text.add("paginate", paging.yaml, paging.evidence)
    } else if place != nil {
      text.remark("paginate: nothing says that there are more pages")
    }
    if let columns = ColumnFinder.columns(of: records) {
      text.add(columns: columns)
      if columns.isEmpty { text.remark("columns: not known, as there are no records now") }
    } else {
      text.remark("columns: more than \(ColumnFinder.most); without “columns” all are read")
    }
    return text.text
  }

  // MARK: Tables and lines

  private func table(_ response: HTTPResponse) async throws -> String {
    let opened = try await FileInputs.opener.open(
      MemorySource(response.body), name: url.path, InputOptions(), log: log)
    let known = ["csv", "tsv", "ndjson"].contains(opened.format)
    guard known, !opened.schema.columns.isEmpty else {
      throw AggregateError(
        .badData, "\(url) answered with something that is no JSON, XML, CSV or feed",
        hint: response.header("Content-Type").map { "it says that it is \($0)" })
    }
    if opened.format != "ndjson", opened.schema.columns.count < 2,
      !(response.header("Content-Type") ?? "").lowercased().contains("csv")
    {
      throw AggregateError(
        .badData, "\(url) answered with text that is no table",
        hint: "the address may need a login, or a header such as -H 'Accept: application/json'")
    }
    var text = request(without: [])
    text.add(
      "format", opened.format,
      response.header("Content-Type").map { "answered as \($0)" } ?? "by the first bytes")
    text.remark("columns: \(opened.schema.names.joined(separator: ", "))")
    return text.text
  }

  // MARK: The request

  private var shown: String { url.description }

  /// The declaration up to its request.
  private func request(without parameters: Set<String>) -> DeclarationText {
    var text = DeclarationText(name: name, origin: shown, provider: "rest")
    var address = url
    address.query = nil
    text.add("url", YAMLText.scalar(address.description, isTemplate: true))
    var names: [String] = []
    let items = url.queryItems.filter { !parameters.contains($0.name) }
    for item in items where !names.contains(item.name) { names.append(item.name) }
    text.add(
      "query",
      names.map { name in
        let values = items.filter { $0.name == name }.map {
          YAMLText.scalar($0.value, isTemplate: true)
        }
        return (name, values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]", nil)
      })
    text.add(
      "headers", headers.map { ($0.name, YAMLText.scalar($0.value, isTemplate: true), nil) })
    let variable = name.uppercased()
    switch secret {
    case .bearer:
      text.add("auth", "{ bearer: \"${\(variable)_TOKEN}\" }", "set the variable \(variable)_TOKEN")
    case .key(let place, let name, _):
      text.add(
        "auth",
        "{ api_key: { in: \(place), name: \(YAMLText.scalar(name)), value: \"${\(variable)_KEY}\" } }",
        "set the variable \(variable)_KEY")
    case nil: break
    }
    return text
  }
}
