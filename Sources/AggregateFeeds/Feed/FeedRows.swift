public import AggregateCore

/// Feed items as rows; the columns are those that all news services share.
public enum FeedRows {
  /// What the column `service` has for feeds.
  public static let service = "feeds"

  /// The columns.
  public static let schema = Schema([
    ColumnSpec("title", .text, description: "The headline, as plain text."),
    ColumnSpec(
      "description", .text, description: "The summary, as the service has it; may be HTML."),
    ColumnSpec("author", .text, description: "Who wrote it; several are joined with a comma."),
    ColumnSpec("publisher", .text, description: "The publication, or the title of the feed."),
    ColumnSpec("url", .text, description: "The address of the article."),
    ColumnSpec("published_at", .instant, description: "When it was published, UTC."),
    ColumnSpec("image_url", .text, description: "The address of its picture."),
    ColumnSpec(
      "content", .text, description: "The text, or as much of it as the service gives."),
    ColumnSpec("service", .text, description: "The service that it came from."),
    ColumnSpec(
      "carried_by", .list, description: "The publications that carried it, first come first."),
  ])

  /// The items of a feed, one row each.
  ///
  /// - Parameter log: Is told of dates that could not be understood, and of what was mended.
  /// - Throws: ``AggregateError`` when the log is strict and a date could not be understood.
  public static func batch(from feed: Feed, log: RunLog? = nil) throws -> Batch {
    var rows = BatchBuilder(schema: schema)
    for item in feed.items { append(item, of: feed, to: &rows) }
    if let log { try report(feed, to: log) }
    return rows.finish()
  }

  /// Appends one item.
  public static func append(_ item: FeedItem, of feed: Feed, to rows: inout BatchBuilder) {
    rows.append(item.title)
    rows.append(item.description)
    rows.append(item.author)
    rows.append(feed.title)
    rows.append(item.url)
    rows.append(item.publishedAt)
    rows.append(item.imageURL)
    rows.append(item.content)
    rows.append(service)
    rows.append(list: feed.title.map { [$0] } ?? [])
    rows.endRow()
  }

  /// Tells the log what was mended of a feed, and how many dates were not understood.
  ///
  /// - Parameter address: Where the feed came from; without it, it is called by its title.
  /// - Throws: ``AggregateError`` when the log is strict and a date could not be understood.
  public static func report(_ feed: Feed, of address: String? = nil, to log: RunLog) throws {
    if let repairs = feed.repairs {
      let name = address ?? feed.title.map { "the feed “\($0)”" } ?? "the feed"
      let line = "\(name): \(repairs.summary)"
      if repairs.hasLosses { log.warn(line) } else { log.note(line) }
    }
    let unreadable = feed.items.compactMap(\.unreadableDate)
    guard let example = unreadable.first else { return }
    try log.lost(
      column: "published_at", kind: "does not read as a date", count: unreadable.count,
      example: example)
  }
}
