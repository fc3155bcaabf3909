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

  /// Reads the services in the order they are named, then emits each article once.
  ///
  /// What arrived before a failure is emitted before it is thrown.
  public func rows(_ context: ProviderContext) async throws {
    let collector = ArticleCollector(limit: limit)
    do {
      for service in services {
        let collecting = context.emitting { try await collector.add($0) }
        switch service {
        case .newsapi: try await newsAPI.rows(collecting)
        case .feeds: try await feeds.rows(collecting)
        }
      }
    } catch is ArticleCollector.Enough {
      // The limit is reached: nothing that comes later would be shown.
    } catch {
      let batch = await collector.batch
      if batch.rowCount > 0, !(error is CancellationError) { try await context.emit(batch) }
      throw error
    }
    let batch = await collector.batch
    if batch.rowCount > 0 { try await context.emit(batch) }
  }
}

/// Gathers the rows of the services until there are enough.
private actor ArticleCollector {
  /// Thrown when the limit is reached.
  struct Enough: Error {}

  private let limit: Int?
  private var merger = ArticleMerger()

  init(limit: Int?) { self.limit = limit }

  func add(_ work: Work) throws {
    switch work {
    case .batch(let batch): merger.add(batch)
    case .deferred(let decode):
      let decoded = decode()
      for batch in decoded.batches { merger.add(batch) }
      if let failure = decoded.failure { throw failure }
    }
    if let limit, merger.count >= limit { throw Enough() }
  }

  var batch: Batch { merger.batch(limit: limit) }
}
