internal import AggregateCore
internal import AggregateFeeds

/// The columns of news, and those with which the services hand them to the merging.
enum NewsSchema {
  /// What the provider publishes.
  static let published = FeedRows.schema

  /// The same with what tells an item from others: its identifier, and the feed within which that counts.
  static let identified = Schema(
    FeedRows.schema.columns + [
      ColumnSpec("guid", .text, description: "The service's identifier."),
      ColumnSpec("feed", .text, description: "The address of the feed; null for NewsAPI."),
    ])

  /// Where the columns of ``identified`` are that the merging looks at.
  static let title = index("title")
  static let publisher = index("publisher")
  static let url = index("url")
  static let publishedAt = index("published_at")
  static let service = index("service")
  static let carriedBy = index("carried_by")
  static let guid = index("guid")
  static let feed = index("feed")

  private static func index(_ name: String) -> Int { identified.index(of: name) ?? 0 }
}
