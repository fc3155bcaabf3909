internal import AggregateCore
internal import AggregateFeeds

/// From the items of a feed to rows.
struct FeedsRowMapper: PageMapper {
  var knownSchema: Schema? { NewsSchema.identified }

  func rows(
    of page: Page<FeedsEndpoint.Address, FeedsPayload>, found: Schema?, log: RunLog
  ) throws -> [Batch] {
    let feed = page.payload.feed
    let address = page.part
    var rows = BatchBuilder(schema: NewsSchema.identified)
    let publisher = feed.title ?? address.url.host
    for item in feed.items {
      rows.append(item.title)
      rows.append(item.description)
      rows.append(item.author)
      rows.append(publisher)
      rows.append(item.url)
      rows.append(item.publishedAt)
      rows.append(item.imageURL)
      rows.append(item.content)
      rows.append(NewsProvider.Service.feeds.rawValue)
      rows.append(list: [publisher])
      rows.append(item.id)
      rows.append(list: item.categories.isEmpty ? nil : item.categories)
      rows.appendNull()
      rows.appendNull()
      rows.append("\(address.url)")
      rows.endRow()
    }
    try FeedRows.report(feed, of: "\(address.url)", to: log)
    return [rows.finish()]
  }
}
