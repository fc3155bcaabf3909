public import AggregateCore
internal import AggregateFeeds
internal import AggregateFormats
internal import AggregateJSON

/// From the body of an answer to records.
public struct RESTDecoder: PayloadDecoder {
  let format: BodyFormat
  let selection: RecordSelection
  /// Where warnings go, and the source that they are of; set when the source is run.
  var log = RunLog.silent
  var source = ""

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    format = options.text("format").flatMap(BodyFormat.init) ?? .auto
    selection = RecordSelection(options.text("records"))
    if options.given("records") != nil, [.csv, .tsv, .feed, .text, .lines].contains(format) {
      diagnostics.error(
        "records",
        "“records” means nothing for the format \(format.rawValue): \(Self.record(of: format)) is a record",
        at: options.location("records"))
    }
  }

  private static func record(of format: BodyFormat) -> String {
    switch format {
    case .text: "the body"
    case .lines: "each line"
    default: "each row"
    }
  }

  /// Decodes a body.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when it is not what it should be.
  public func decode(_ response: HTTPResponse) async throws -> RESTPayload {
    let payload = try await payload(of: response)
    if payload.count == 0, let root = payload.root, let warning = selection.warning(for: root) {
      log.warn("\(source): \(warning)")
    }
    return payload
  }

  private func payload(of response: HTTPResponse) async throws -> RESTPayload {
    var response = response
    var format = self.format == .auto ? BodyFormat.detected(response) : self.format
    if let converted = Self.inUTF8(response, format, log) {
      response = converted
      if self.format == .auto { format = BodyFormat.detected(response) }
    }
    let body = response.body
    let beginning = BodyBeginning(body)
    switch format {
    case .json, .ndjson, .auto:
      if beginning.first == UInt8(ascii: "<") { throw beginning.markup(from: response.url) }
      return format == .ndjson ? try documents(body) : try document(response)
    case .xml:
      if beginning.isHTML { throw beginning.markup(from: response.url) }
      let json = try XMLRecords.json(from: body, contentType: response.header("Content-Type"))
      return payload(try JSONDocument(parsing: json))
    case .feed:
      let feed = try FeedParser.parse(
        body, contentType: response.header("Content-Type"), url: response.url)
      return RESTPayload(
        rows: .table(FeedRows.schema, [try FeedRows.batch(from: feed, log: log)]), root: nil)
    case .text: return try texts([body.text(0..<body.count)])
    case .lines:
      // A line ends in LF or CR LF, the last one also at the end.
      var lines = body.text(0..<body.count).split(
        omittingEmptySubsequences: false
      ) { $0 == "\n" || $0 == "\r\n" }
      if lines.last?.isEmpty == true { lines.removeLast() }
      return try texts(lines.map { String($0) })
    case .csv, .tsv:
      if beginning.isHTML { throw beginning.markup(from: response.url) }
      return try await table(response, format, log)
    }
  }

  /// The answer with its text in UTF-8; nil when it is as it is, and for XML and feeds, which say their encoding themselves.
  private static func inUTF8(
    _ response: HTTPResponse, _ format: BodyFormat, _ log: RunLog
  ) -> HTTPResponse? {
    guard format != .xml, format != .feed,
      let (text, isGuess) = BodyText.utf8(
        response.body, contentType: response.header("Content-Type"))
    else { return nil }
    if isGuess {
      log.warn(
        "\(response.url): text that is not UTF-8 and names no charset is read as windows-1252")
    }
    var result = response
    result.body = text
    return result
  }

  private func payload(_ document: JSONDocument) -> RESTPayload {
    RESTPayload(
      rows: .records(selection.records(in: document.root), document.buffer), root: document.root)
  }

  private func document(_ response: HTTPResponse) throws -> RESTPayload {
    do {
      return payload(try JSONDocument(parsing: response.body))
    } catch let error as AggregateError where error.code == .badData {
      // Text that goes on behind its first document is a series of documents.
      if format == .auto, let several = try? documents(response.body), several.count > 1 {
        return several
      }
      var located = error
      located.message = "\(response.url): \(error.message)"
      if located.hint == nil {
        located.hint = "the body begins with “\(BodyBeginning(response.body).excerpt)”"
      }
      throw located
    }
  }

  private func documents(_ body: ByteBuffer) throws -> RESTPayload {
    let start = body.withUnsafeBytes { $0.starts(with: [0xEF, 0xBB, 0xBF]) } ? 3 : 0
    let reader = JSONRecordReader(schema: Schema([ColumnSpec("record")]), paths: [[]])
    let result = reader.read(
      body, in: start..<body.count, separator: .whitespace, isLast: true)
    if let failure = result.failure { throw failure.error() }
    var nodes: [JSONNode] = []
    for batch in result.batches {
      guard case .spans(let spans) = batch.columns[0] else { continue }
      for cell in spans.cells {
        let range = cell.range
        let outer =
          cell.kind.isText ? range.lowerBound - 1..<range.upperBound + 1 : range
        let document = try JSONDocument(parsing: body, in: outer)
        nodes += selection.path.map { $0.nodes(in: document.root) } ?? [document.root]
      }
    }
    return RESTPayload(rows: .records(nodes, body), root: nil)
  }

  /// Records that are texts.
  private func texts(_ texts: [String]) throws -> RESTPayload {
    let list = try JSONDocument(
      parsing: ByteBuffer(
        Array("[\(texts.map(EscapedText.quoted).joined(separator: ","))]".utf8)))
    return RESTPayload(
      rows: .records(Array(list.root.elements), list.buffer), root: nil)
  }

  private func table(
    _ response: HTTPResponse, _ format: BodyFormat, _ log: RunLog
  ) async throws -> RESTPayload {
    var options = InputOptions()
    options.format = format.rawValue
    let input = try await InputOpener().open(
      MemorySource(response.body), name: response.url.description, options, log: log)
    let rows = CollectedBatches()
    try await input.emit { work in
      switch work {
      case .batch(let batch): await rows.add([batch])
      case .deferred(let decode):
        let decoded = decode()
        await rows.add(decoded.batches)
        if let failure = decoded.failure { throw failure }
      }
    }
    return RESTPayload(rows: .table(input.schema, await rows.batches), root: nil)
  }
}

/// The rows of one body.
private actor CollectedBatches {
  var batches: [Batch] = []
  func add(_ more: [Batch]) { batches += more }
}
