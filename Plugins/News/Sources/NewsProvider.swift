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
  private let published: Schema
  /// Whether NewsAPI is asked only for what is new.
  public let readsIncrementally: Bool

  /// Creates a provider from its options.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let understood = NewsOptions(options, &diagnostics)
    services = understood.services
    newsAPI = understood.newsAPI
    feeds = understood.feeds
    limit = understood.limit
    published = understood.schema
    readsIncrementally = newsAPI.readsIncrementally
  }

  /// The columns of the spec, those of `more_columns` as far as they are named there.
  public var schema: Schema? { published }

  /// The first page of NewsAPI and each feed.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] {
    try services.flatMap { service in
      switch service {
      case .newsapi: try newsAPI.plannedRequests(context)
      case .feeds: try feeds.plannedRequests(context)
      }
    }
  }

  /// Pages of NewsAPI and the number of feeds.
  public var plan: ProviderPlan {
    var plan = ProviderPlan()
    let names = services.map(\.rawValue).joined(separator: " and ")
    let hasNewsAPI = services.contains(.newsapi)
    let parts = (hasNewsAPI ? 1 : 0) + (services.contains(.feeds) ? feeds.endpoint.feeds.count : 0)
    if services.contains(.feeds) {
      plan.keys = [ProviderPlan.Key(name: names, origin: .list, count: parts)]
    }
    plan.knowsPartitions = true
    plan.paging = ProviderPlan.Paging(kind: "none", parameters: [], ends: [])
    guard hasNewsAPI else { return plan }
    plan.authentication = ["api_key in a header"]
    if newsAPI.endpoint.kind != .sources {
      plan.paging = ProviderPlan.Paging(
        kind: "page",
        parameters: [
          .init("param", "page"), .init("first", "1"), .init("size_param", "pageSize"),
          .init("size", String(newsAPI.endpoint.pageSize)),
        ],
        ends: ["the number of articles at totalResults", "an empty page"]
          + (limit.map { ["\($0) articles"] } ?? []))
    }
    return plan
  }

  /// Reads the services in the order they are named, and emits each article once.
  ///
  /// NewsAPI alone is emitted page by page, so that whoever has enough stops the paging. Otherwise
  /// the articles wait until all services were read, since each may add to an article of another.
  /// What arrived before a failure is emitted before it is thrown.
  public func rows(_ context: ProviderContext) async throws {
    if services.contains(.newsapi) { try newsAPI.endpoint.key.require(context) }
    let collector = ArticleCollector(published, limit: limit)
    let isStreamed = services == [.newsapi]
    func gathering(_ kind: ArticleItem.Kind) -> ProviderContext {
      context.wanting(limit).gathering { emission in
        let isEnough = try await collector.add(emission, kind)
        if isStreamed { try await collector.hand(to: context.forward) }
        if isEnough { throw Enough() }
      }
    }
    do {
      for service in services {
        switch service {
        case .newsapi: try await newsAPI.rows(gathering(newsAPI.kind))
        case .feeds: try await feeds.rows(gathering(.article))
        }
      }
    } catch is Enough {
      // The limit is reached: nothing that comes later would be shown, so no cursor may pass it.
      context.leaveCursors()
    } catch {
      if !(error is CancellationError) { try await collector.hand(to: context.forward) }
      throw error
    }
    try await collector.hand(to: context.forward)
  }

  /// Thrown when the limit is reached.
  private struct Enough: Error {}
}

/// Gathers the rows of the services.
private actor ArticleCollector {
  private let limit: Int?
  private var merger: ArticleMerger
  private var taken = 0

  init(_ schema: Schema, limit: Int?) {
    merger = ArticleMerger(schema: schema)
    self.limit = limit
  }

  /// Takes rows; true when there are enough.
  func add(_ emission: Emission, _ kind: ArticleItem.Kind) throws -> Bool {
    switch emission.work {
    case .batch(let batch): merger.add(batch, kind, from: emission)
    case .deferred(let decode):
      let decoded = decode()
      for batch in decoded.batches { merger.add(batch, kind, from: emission) }
      if let failure = decoded.failure { throw failure }
    }
    return limit.map { merger.count >= $0 } ?? false
  }

  /// Hands on the articles that were not handed on yet, each as of where it came from first.
  func hand(to take: @Sendable (Emission) async throws -> Void) async throws {
    let end = min(merger.count, limit ?? .max)
    guard taken < end else { return }
    let emissions = merger.emissions(taken..<end)
    taken = end
    for emission in emissions { try await take(emission) }
  }
}
