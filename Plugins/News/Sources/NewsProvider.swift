public import AggregateCore
internal import AggregateFeeds

/// News from NewsAPI and from feeds, with the same columns, each article once.
public struct NewsProvider: Provider {
  /// Where articles come from.
  enum Service: String, CaseIterable, Sendable {
    case newsapi
    case feeds
  }

  private let services: [Service]
  private let newsAPI: NewsAPIService
  private let feeds: FeedsService
  private let limit: Int?

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let understood = NewsOptions(options, &diagnostics)
    services = understood.services
    newsAPI = understood.newsAPI
    feeds = understood.feeds
    limit = understood.limit
  }

  /// The columns of the spec.
  public var schema: Schema? { NewsSchema.published }

  /// The first page of NewsAPI and each feed.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    try services.flatMap { service in
      switch service {
      case .newsapi: try newsAPI.plannedRequests(context)
      case .feeds: try feeds.plannedRequests(context)
      }
    }
  }

  /// Reads the services in the order they are named, and emits each article once.
  ///
  /// NewsAPI alone is emitted page by page, so that whoever has enough stops the paging. Otherwise
  /// the articles wait until all services were read, since each may add to an article of another.
  /// What arrived before a failure is emitted before it is thrown.
  public func rows(_ context: ProviderContext) async throws {
    if services.contains(.newsapi) { try newsAPI.endpoint.key.require(context) }
    let collector = ArticleCollector(limit: limit)
    let streams = services == [.newsapi]
    let collecting = context.emitting { work in
      let isEnough = try await collector.add(work)
      if streams, let batch = await collector.take() { try await context.emit(batch) }
      if isEnough { throw Enough() }
    }
    do {
      for service in services {
        switch service {
        case .newsapi: try await newsAPI.rows(collecting)
        case .feeds: try await feeds.rows(collecting)
        }
      }
    } catch is Enough {
      // The limit is reached: nothing that comes later would be shown.
    } catch {
      if !(error is CancellationError), let batch = await collector.take() {
        try await context.emit(batch)
      }
      throw error
    }
    if let batch = await collector.take() { try await context.emit(batch) }
  }

  /// Thrown when the limit is reached.
  private struct Enough: Error {}
}

/// Gathers the rows of the services.
private actor ArticleCollector {
  private let limit: Int?
  private var merger = ArticleMerger()
  private var taken = 0

  init(limit: Int?) { self.limit = limit }

  /// Takes rows; true when there are enough.
  func add(_ work: Work) throws -> Bool {
    switch work {
    case .batch(let batch): merger.add(batch)
    case .deferred(let decode):
      let decoded = decode()
      for batch in decoded.batches { merger.add(batch) }
      if let failure = decoded.failure { throw failure }
    }
    return limit.map { merger.count >= $0 } ?? false
  }

  /// The articles that were not taken yet; nil when there are none.
  func take() -> Batch? {
    let end = min(merger.count, limit ?? .max)
    guard taken < end else { return nil }
    defer { taken = end }
    return merger.batch(taken..<end)
  }
}
