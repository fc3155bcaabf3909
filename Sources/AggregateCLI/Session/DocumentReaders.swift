import AggregateCore
import AggregateFeeds
import AggregateFormats
import AggregateJSON

/// Readers of the formats whose documents are read whole: feeds and XML.
enum DocumentReaders {
  /// By format name.
  static let all: [String: BodyReader] = [
    "feed": BodyReader { bytes, _, _, log in
      let feed = try FeedParser.parse(bytes, contentType: nil, url: nil)
      return BodyReader.Rows(
        schema: FeedRows.schema, batches: [try FeedRows.batch(from: feed, log: log)])
    },
    "xml": BodyReader { bytes, name, records, _ in
      let json = try XMLRecords.json(from: bytes)
      let document = try JSONDocument(parsing: json)
      let nodes = records.map { $0.nodes(in: document.root) } ?? [document.root]
      // One record after the other, as if they were lines of NDJSON.
      var lines = ByteBuilder(capacity: json.count)
      for node in nodes {
        lines.append(json, node.outerRange)
        lines.append(UInt8(ascii: "\n"))
      }
      let buffer = lines.finish()
      let all = 0..<buffer.count
      let (schema, _) = JSONRecordReader.inferSchema(
        buffer, in: all, separator: .whitespace, maxRecords: .max)
      let result = JSONRecordReader(schema: schema).read(
        buffer, in: all, separator: .whitespace, isLast: true)
      if let failure = result.failure { throw failure.error() }
      return BodyReader.Rows(schema: schema, batches: result.batches)
    },
  ]
}
