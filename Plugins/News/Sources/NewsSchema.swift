internal import AggregateCore
internal import AggregateFeeds

/// The columns of news, and those with which the services hand them to the merging.
enum NewsSchema {
  /// What the provider always publishes.
  static let published = FeedRows.schema

  /// What it publishes besides when asked for.
  static let more = [
    ColumnSpec(
      "guid", .text,
      description: "What identifies an item within its feed, or a publication (more_columns)."),
    ColumnSpec(
      "categories", .list, description: "The categories of the feed's item (more_columns)."),
    ColumnSpec(
      "language", .text, description: "The language of a publication (more_columns)."),
    ColumnSpec("country", .text, description: "The country of a publication (more_columns)."),
  ]

  /// Everything, and the feed within which an identifier counts.
  static let identified = Schema(
    published.columns + more + [
      ColumnSpec("feed", .text, description: "The address of the feed; null for NewsAPI.")
    ])

  /// Where the columns of ``identified`` are that the merging looks at.
  static let title = index("title")
  static let description = index("description")
  static let publisher = index("publisher")
  static let url = index("url")
  static let publishedAt = index("published_at")
  static let service = index("service")
  static let carriedBy = index("carried_by")
  static let guid = index("guid")
  static let feed = index("feed")

  private static func index(_ name: String) -> Int { identified.index(of: name) ?? 0 }
}
