internal import AggregateCore
internal import AggregateFeeds

/// From the items of a feed to rows.
struct FeedsRowMapper: RowMapper {
  var schema: Schema { NewsSchema.identified }

  func map(
    _ payload: FeedsPayload, of address: FeedsEndpoint.Address, into rows: inout BatchBuilder
  ) throws {
    let feed = payload.feed
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
    try FeedRows.report(feed, of: "\(address.url)", to: address.log)
  }
}
