internal import AggregateCore
internal import AggregateFeeds

/// From the entries of NewsAPI to rows.
struct NewsAPIRowMapper: PageMapper {
  /// What stands in every text of an article that its publisher took back.
  static let removedMark = "[Removed]"

  /// Whether articles that were taken back are kept.
  let keepsRemoved: Bool
  /// Whether what can't be an article is left out, and the source that it is told of; set when the source is run.
  var skipsMalformed = false
  var source = ""

  var knownSchema: Schema? { NewsSchema.identified }

  /// The rows of a page, up to the first that is none unless such are left out.
  func rows(
    of page: Page<NewsAPIEndpoint.Query, NewsAPIPayload>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    let payload = page.payload
    // What was on earlier pages already.
    let skipped = page.index == 0 ? 0 : page.part.place.skipped
    var entries = payload.entries.dropFirst(skipped)
    if let first = payload.malformed.first {
      if skipsMalformed {
        try log.skipped(
          records: payload.malformed.count, of: source, first: first.error(at: page.response.url),
          at: first.index)
      } else {
        entries = entries.prefix(max(0, first.index - skipped))
      }
    }
    return [try batch(of: entries, log)]
  }

  /// A hash of the body; of articles that were taken back all are equal, so that it tells nothing.
  func recordHash(of page: Page<NewsAPIEndpoint.Query, NewsAPIPayload>) -> Int {
    guard page.payload.entries.contains(where: { !$0.isRemoved }) else { return page.index }
    return page.bodyHash
  }

  /// The rows of entries.
  func batch(of entries: ArraySlice<NewsAPIPayload.Entry>, _ log: RunLog) throws -> Batch {
    var rows = BatchBuilder(schema: NewsSchema.identified)
    var removed = 0
    for entry in entries {
      if !keepsRemoved && entry.isRemoved {
        removed += 1
        continue
      }
      let published = entry.publishedAt.flatMap(FeedDate.parse)
      if published == nil, let text = entry.publishedAt {
        try log.lost(
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
      log.detail("NewsAPI: \(removed) articles marked “[Removed]” left out")
    }
    return rows.finish()
  }

  /// Whether an article was taken back by its publisher.
  static func isRemoved(title: String?, url: String?) -> Bool {
    title == removedMark || url == "https://removed.com"
  }
}
