internal import AggregateCore
internal import AggregateFeeds

/// The columns of news, and those with which the services hand them to the merging.
enum NewsSchema {
  /// What the provider publishes.
  static let published = FeedRows.schema

  /// The same with the identifier that tells an article within its service.
  static let identified = Schema(
    FeedRows.schema.columns + [ColumnSpec("guid", .text, description: "The service's identifier.")])
}
