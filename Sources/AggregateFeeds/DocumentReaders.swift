public import AggregateFormats

/// Readers of the formats whose documents are read whole: feeds and XML.
public enum DocumentReaders {
  /// The readers, by format name.
  public static let all: [String: BodyReader] = [
    "feed": .rows { bytes, _, log in
      [try FeedRows.batch(from: try FeedParser.parse(bytes), log: log)]
    },
    "xml": .json { bytes in try XMLRecords.json(from: bytes) },
  ]
}
