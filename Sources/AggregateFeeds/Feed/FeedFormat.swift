internal import AggregateFormats

/// Feeds, read as news.
enum FeedFormat {
  static let spec = FormatSpec(
    "feed", "RSS, Atom or JSON Feed, as the columns of news.",
    extensions: ["rss", "atom", "rdf"], isFlat: false,
    reading: .rows { bytes, _, log in
      [try FeedRows.batch(from: try FeedParser.parse(bytes), log: log)]
    })
}
