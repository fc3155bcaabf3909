import AggregateConfig
import AggregateCore
import AggregateExpressions
import AggregateFeeds
import AggregateFormats
import AggregateJSON
import AggregateREST
import AggregateStages
import AggregateTransport
import Foundation

/// Entry points for libFuzzer: hostile bytes must never crash, hang or break a law.
///
/// One binary has all of them; the variable `FUZZ_TARGET` says which one runs. `Scripts/fuzz.sh` builds and runs it.
enum FuzzTargets {
  static let all: [String: @Sendable ([UInt8]) -> Void] = [
    "json-records": jsonRecords, "json-document": jsonDocument, "jsonpath": jsonPath, "csv": csv,
    "config": config, "expression": expression, "url": url, "input": input, "har": har,
    "ndjson": ndjson,
    "values": values, "feed": feed,
  ]

  static let selected: @Sendable ([UInt8]) -> Void = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = all[name] else {
      fatalError("FUZZ_TARGET is one of \(all.keys.sorted().joined(separator: ", "))")
    }
    return target
  }()

  private static let log = RunLog(level: .quiet, isStrict: false) { _ in }

  /// What the reader takes, the document parser takes, and the other way round.
  private static let jsonRecords: @Sendable ([UInt8]) -> Void = { bytes in
    let buffer = ByteBuffer(bytes)
    let schema = Schema([ColumnSpec("a"), ColumnSpec("b", path: ColumnPath(["b", "c"]))])
    let reader = JSONRecordReader(schema: schema)
    for separator in [RecordSeparator.whitespace, .comma, .single] {
      for isLast in [true, false] {
        let result = reader.read(buffer, in: 0..<buffer.count, separator: separator, isLast: isLast)
        precondition(result.consumed <= buffer.count)
        for batch in result.batches { touch(batch) }
        if separator == .single, isLast, result.recordCount == 1 {
          let isSound = (try? JSONDocument(parsing: buffer)) != nil
          precondition(isSound == (result.failure == nil), "reader and document disagree")
        }
      }
    }
  }

  /// What is kept of a part of a document is as in the whole; a part may be sound where the whole is not.
  private static let jsonDocument: @Sendable ([UInt8]) -> Void = { bytes in
    let buffer = ByteBuffer(bytes)
    let part = try? JSONDocument(parsing: buffer, members: JSONMemberNames(["a", ""]))
    if let part { visit(part.root, depth: 0) }
    guard let document = try? JSONDocument(parsing: buffer) else { return }
    visit(document.root, depth: 0)
    guard let part else { preconditionFailure("a part of a sound document is refused") }
    for name in ["a", ""] {
      precondition(part.root[name]?.rawText == document.root[name]?.rawText, "a member differs")
    }
    if document.root.kind != .object { precondition(part.root.rawText == document.root.rawText) }
  }

  private static func visit(_ node: JSONNode, depth: Int) {
    precondition(depth <= 2048)
    _ = node.cell
    for element in node.elements { visit(element, depth: depth + 1) }
  }

  /// A path, a line end, a document.
  private static let jsonPath: @Sendable ([UInt8]) -> Void = { bytes in
    let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    _ = JSONPath.mistake(in: text)
    guard let path = try? JSONPath(parsing: text), parts.count > 1, parts[1].count < 512,
      let document = try? JSONDocument(parsing: ByteBuffer(Array(parts[1])))
    else { return }
    _ = path.nodes(in: document.root)
    _ = path.firstNode(in: document.root)
  }

  private static let csv: @Sendable ([UInt8]) -> Void = { bytes in
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    // However it arrives, the rows are the same.
    let whole = read(rest, format: first & 1 == 0 ? "csv" : "tsv", block: 1 << 20, first)
    let parts = read(
      rest, format: first & 1 == 0 ? "csv" : "tsv", block: Int(first >> 4) + 1, first)
    precondition(whole == parts, "blocks change the rows")
  }

  /// The first byte chooses the format and the size of blocks; 0 to 15 detect the format.
  private static let input: @Sendable ([UInt8]) -> Void = { bytes in
    guard let first = bytes.first else { return }
    let formats: [String?] = [nil, "json", "ndjson", "xml", "feed", "csv", "tsv", nil]
    let format = formats[Int(first & 7)]
    _ = read(Array(bytes.dropFirst()), format: format, block: Int(first >> 3) * 8 + 1, 0)
  }

  /// The first byte chooses the content type and whether the address is known; the rest is the body.
  private static let feed: @Sendable ([UInt8]) -> Void = { bytes in
    guard let first = bytes.first else { return }
    let body = ByteBuffer(Array(bytes.dropFirst()))
    let types: [String?] = [
      nil, "text/xml", "application/rss+xml; charset=utf-8", "text/html; charset=iso-8859-1",
      "application/feed+json", "text/xml; charset=windows-1251", "text/xml; charset=\"shift_jis\"",
      "application/xml; charset=no-such",
    ]
    let type = types[Int(first & 7)]
    let url = first & 8 == 0 ? nil : WebURL("http://a.example/x/y?z=1")
    let isPage = FeedDiscovery.isPage(body, contentType: type)
    for address in FeedDiscovery.feeds(in: body, contentType: type, url: url) {
      precondition(!address.isEmpty, "an empty address is no feed")
    }
    let header = String(decoding: bytes.prefix(200), as: UTF8.self)
    for address in FeedDiscovery.feeds(inHeader: header, url: url) {
      precondition(!address.isEmpty, "an empty address is no feed")
    }
    guard let feed = try? FeedParser.parse(body, contentType: type, url: url) else { return }
    precondition(!isPage, "a web page is read as a feed")
    if let repairs = feed.repairs {
      precondition(!repairs.isEmpty && !repairs.summary.isEmpty, "a repair of nothing")
      precondition(!repairs.isUnread, "the parser gave up on what was mended")
    }
    for item in feed.items {
      precondition(item.title != "" && item.url != "" && item.author != "", "empty instead of null")
      guard let date = item.publishedAt else { continue }
      precondition(item.unreadableDate == nil, "a date is read and unreadable")
      precondition(FeedDate.parse(date.iso8601) == date, "a date reads as another")
    }
    if let batch = try? FeedRows.batch(from: feed) {
      precondition(batch.rowCount == feed.items.count, "an item is no row")
    }
  }

  /// The rows as text; nil when reading failed.
  private static func read(
    _ bytes: [UInt8], format: String?, block: Int, _ flags: UInt8
  ) -> [String]? {
    var options = InputOptions()
    options.format = format
    options.blockSize = block
    options.skipsMalformed = flags & 2 != 0
    options.dialect.allowsRaggedRows = flags & 4 != 0
    let box = Box()
    let settings = options
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      defer { done.signal() }
      do {
        let opener = InputOpener(registry: DocumentFormats.registry)
        let opened = try await opener.open(
          MemorySource(ByteBuffer(bytes), step: block), name: "fuzz", settings, log: log)
        try await opened.emit { work in
          let decoded: Decoded
          switch work {
          case .batch(let batch): decoded = Decoded(batches: [batch])
          case .deferred(let decode): decoded = decode()
          }
          for batch in decoded.batches { box.add(touch(batch)) }
          if let failure = decoded.failure { throw failure }
        }
      } catch {
        box.fail()
      }
    }
    done.wait()
    return box.result
  }

  /// However documents arrive, the rows are the same, and so is what survives behind malformed ones.
  private static let ndjson: @Sendable ([UInt8]) -> Void = { bytes in
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let whole = read(rest, format: "ndjson", block: 1 << 20, first)
    let parts = read(rest, format: "ndjson", block: Int(first >> 4) + 1, first)
    precondition(whole == parts, "blocks change the rows")
  }

  /// The small texts: times, durations, sizes, rates, dates, formats, paths of columns.
  private static let values: @Sendable ([UInt8]) -> Void = { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    bytes.withUnsafeBytes { raw in
      _ = InstantParser.iso8601(raw)
      _ = InstantParser.rfc822(raw)
      _ = InstantParser.any(raw)
      _ = InstantParser.epoch(raw, unit: 1000)
    }
    _ = InstantParser.loose(text)
    if let date = CalendarDate(iso8601: text) {
      precondition(CalendarDate(iso8601: date.iso8601) == date, "\(date) does not come back")
    }
    if let instant = Instant(iso8601: text) {
      precondition(Instant(iso8601: instant.iso8601) == instant, "\(instant) does not come back")
    }
    _ = Quantities.duration(text)
    _ = Quantities.size(text)
    _ = Quantities.rate(text)
    _ = InstantFormat(text)
    _ = TimePattern(text)
    _ = CSVDialect.delimiter(text)
    let path = ColumnPath(text: text)
    precondition(ColumnPath(text: path.description) == path, "\(path) does not come back")
  }

  private static let config: @Sendable ([UInt8]) -> Void = { bytes in
    let loader = ConfigurationLoader(
      providers: ProviderRegistry([RESTProvider.self]), stages: Stages.registry,
      redactor: Redactor(), environment: ["A": "x"])
    let (_, diagnostics) = loader.load(bytes, path: "fuzz.yaml")
    for diagnostic in diagnostics.all { _ = diagnostic.rendered }
  }

  private static let expressionRows: Batch = {
    var builder = BatchBuilder(
      schema: Schema([ColumnSpec("a"), ColumnSpec("b"), ColumnSpec("c.d")]))
    let rows: [[Value]] = [
      [.int(1), .text("x"), .null], [.number("1.50"), .text("2024-01-31"), .json("[1,{\"e\":2}]")],
      [.absent, .text(""), .bool(true)],
    ]
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }()

  private static let expression: @Sendable ([UInt8]) -> Void = { bytes in
    // Texts that grow themselves (repeat, lpad) are bounded by the length of the number.
    guard bytes.count < 256 else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    _ = Expression.mistake(in: text)
    var diagnostics = Diagnostics()
    let place = SourceLocation(file: "fuzz", line: 1, column: 1, text: text)
    guard let parsed = Expression(LocatedText(text, at: place), &diagnostics),
      let bound = try? parsed.bind(expressionRows.schema)
    else { return }
    guard let column = try? bound.evaluate(expressionRows, into: "x", log: log) else { return }
    precondition(column.count == expressionRows.rowCount)
    for row in 0..<column.count { _ = column.value(at: row) }
  }

  private static let url: @Sendable ([UInt8]) -> Void = { bytes in
    let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
    let text = String(decoding: parts[0], as: UTF8.self)
    _ = WebURL.decoded(text)
    guard let url = WebURL(text) else { return }
    precondition(WebURL(url.description) == url, "\(url) does not come back")
    _ = url.queryItems
    if parts.count > 1 { _ = url.resolving(String(decoding: parts[1], as: UTF8.self)) }
  }

  private static let har: @Sendable ([UInt8]) -> Void = { bytes in
    _ = try? ReplayWire(ByteBuffer(bytes), name: "fuzz.har", redactor: Redactor())
  }

  /// Every cell as text.
  @discardableResult
  private static func touch(_ batch: Batch) -> [String] {
    (0..<batch.rowCount).map { row in
      batch.row(row).map { "\($0)" }.joined(separator: "|")
    }
  }
}

/// Rows that a task collects.
private final class Box: @unchecked Sendable {
  private let lock = NSLock()
  private var rows: [String]? = []

  func add(_ more: [String]) { lock.withLock { rows?.append(contentsOf: more) } }
  func fail() { lock.withLock { rows = nil } }
  var result: [String]? { lock.withLock { rows } }
}

/// What libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  FuzzTargets.selected(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
