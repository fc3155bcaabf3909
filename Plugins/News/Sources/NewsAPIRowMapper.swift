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
      if !keepsRemoved && isRemoved(entry) {
        removed += 1
        continue
      }
      let published = entry.publishedAt.flatMap(FeedDate.parse)
      if published == nil, let text = entry.publishedAt {
        try query.log.lost(
          column: "published_at", kind: "does not read as a date", count: 1, example: text)
      }
      rows.append(entry.title)
      rows.append(entry.description)
      rows.append(entry.author)
      rows.append(entry.publisher)
      rows.append(entry.url)
      rows.append(published)
      rows.append(entry.imageURL)
      rows.append(entry.content)
      rows.append(NewsProvider.Service.newsapi.rawValue)
      rows.append(list: [entry.publisher ?? NewsProvider.Service.newsapi.rawValue])
      rows.appendNull()
      rows.endRow()
    }
    if removed > 0 {
      query.log.detail("NewsAPI: \(removed) articles marked “[Removed]” left out")
    }
  }

  private func isRemoved(_ entry: NewsAPIPayload.Entry) -> Bool {
    entry.title == Self.removedMark || entry.url == "https://removed.com"
  }
}
