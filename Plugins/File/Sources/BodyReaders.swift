internal import AggregateCore
internal import AggregateFeeds
internal import AggregateFormats

/// Readers of the formats that are read as whole documents.
enum BodyReaders {
  static let all: [String: BodyReader] = [
    "feed": .rows { bytes, _, log in
      [try FeedRows.batch(from: try FeedParser.parse(bytes), log: log)]
    },
    "xml": .json { bytes in try XMLRecords.json(from: bytes) },
  ]
}
