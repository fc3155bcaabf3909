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
    let collecting = context.gathering { emission in
      let isEnough = try await collector.add(emission)
      if streams { try await collector.hand(to: context) }
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
      // The limit is reached: nothing that comes later would be shown, so no cursor may pass it.
      context.leaveCursors()
    } catch {
      if !(error is CancellationError) { try await collector.hand(to: context) }
      throw error
    }
    try await collector.hand(to: context)
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
  func add(_ emission: Emission) throws -> Bool {
    switch emission.work {
    case .batch(let batch): merger.add(batch, from: emission)
    case .deferred(let decode):
      let decoded = decode()
      for batch in decoded.batches { merger.add(batch, from: emission) }
      if let failure = decoded.failure { throw failure }
    }
    return limit.map { merger.count >= $0 } ?? false
  }

  /// Hands on the articles that were not handed on yet, each as of where it came from first.
  func hand(to context: ProviderContext) async throws {
    let end = min(merger.count, limit ?? .max)
    guard taken < end else { return }
    let emissions = merger.emissions(taken..<end)
    taken = end
    for emission in emissions { try await context.forward(emission) }
  }
}
