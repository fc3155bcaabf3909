internal import AggregateCore
internal import AggregateFeeds

/// From the entries of NewsAPI to rows.
struct NewsAPIRowMapper: RowMapper {
  /// What stands in every text of an article that its publisher took back.
  static let removedMark = "[Removed]"

  /// Whether articles that were taken back are kept.
  let keepsRemoved: Bool

  var schema: Schema { NewsSchema.identified }

  func map(
    _ payload: NewsAPIPayload, of query: NewsAPIEndpoint.Query, into rows: inout BatchBuilder
  ) throws {
    var removed = 0
    for entry in payload.entries {
      if !keepsRemoved && entry.isRemoved {
        removed += 1
        continue
      }
      let published = entry.publishedAt.flatMap(FeedDate.parse)
      if published == nil, let text = entry.publishedAt {
        try query.log.lost(
          column: "published_at", kind: "does not read as a date", count: 1, example: text)
      }
      rows.append(entry.title.map(HeadlineText.plain).flatMap { $0.isEmpty ? nil : $0 })
      rows.append(entry.description)
      rows.append(entry.author)
      rows.append(entry.publisher)
      rows.append(entry.url)
      rows.append(published)
      rows.append(entry.imageURL)
      rows.append(entry.content)
      rows.append(NewsProvider.Service.newsapi.rawValue)
      rows.append(list: [entry.publisher ?? NewsProvider.Service.newsapi.rawValue])
      rows.append(entry.id)
      rows.append(list: entry.category.map { [$0] })
      rows.append(entry.language)
      rows.append(entry.country)
      rows.appendNull()
      rows.endRow()
    }
    if removed > 0 {
      query.log.detail("NewsAPI: \(removed) articles marked “[Removed]” left out")
    }
  }

  /// Whether an article was taken back by its publisher.
  static func isRemoved(title: String?, url: String?) -> Bool {
    title == removedMark || url == "https://removed.com"
  }
}
