/// What a provider may use while it runs.
public struct ProviderContext: Sendable {
  /// The name of the source, as declared.
  public let source: String
  /// What the run gives it to work with.
  public private(set) var services: RunServices
  /// How much of it is read.
  public private(set) var limits: ReadLimits
  /// Named values set with `params:` and `-p`.
  public let parameters: [String: String]
  /// Which values are wanted by the stages behind; more may be given.
  public let demand: ColumnDemand
  /// What happens when a part of the source fails.
  public let errorPolicy: ErrorPolicy
  /// Where failures of parts are noted when the others go on.
  public let tally: SourceTally
  /// The cursors, when the source is incremental.
  public let cursors: (any Cursors)?
  /// The part whose rows are emitted through this context; empty where there is but one.
  public private(set) var part = ""
  private var deliver: @Sendable (Emission) async throws -> Void
  private let publish: @Sendable (Schema) async throws -> ColumnDemand

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - publish: Receives the schema of a provider that has none in advance; gives the demand.
  ///   - emit: Receives the rows.
  public init(
    source: String, services: RunServices, limits: ReadLimits = ReadLimits(),
    parameters: [String: String] = [:], demand: ColumnDemand = .all,
    errorPolicy: ErrorPolicy = .fail, tally: SourceTally = SourceTally(),
    cursors: (any Cursors)? = nil,
    publish: @escaping @Sendable (Schema) async throws -> ColumnDemand = { _ in .all },
    emit: @escaping @Sendable (Emission) async throws -> Void
  ) {
    self.source = source
    self.services = services
    self.limits = limits
    self.parameters = parameters
    self.demand = demand
    self.errorPolicy = errorPolicy
    self.tally = tally
    self.cursors = cursors
    self.publish = publish
    deliver = emit
  }

  /// Sends requests, under the limits of this source.
  public var http: any HTTPClient { services.http }
  /// Where warnings and losses go.
  public var log: RunLog { services.log }
  /// How many requests may be under way at once.
  public var jobs: Int { limits.jobs }
  /// The most pages that may be read of one part; nil for no bound.
  public var maxPages: Int? { limits.maxPages }
  /// How many rows are wanted at most, where that is known; more may be given.
  public var rowLimit: Int? { limits.rows }
  /// Whether services are really asked; not with samples or a recording, which need no key.
  public var isLive: Bool { services.isLive }

  /// Hands rows to the stages; waits while they have enough to do.
  ///
  /// - Parameter origin: The answer that the rows came from.
  /// - Throws: `CancellationError` when no more rows are wanted.
  public func emit(_ work: Work, from origin: WorkOrigin? = nil) async throws {
    try await deliver(Emission(work, from: origin, of: part))
  }

  /// Hands rows to the stages.
  public func emit(_ batch: Batch, from origin: WorkOrigin? = nil) async throws {
    try await emit(.batch(batch), from: origin)
  }

  /// Hands on rows that were emitted before, to a context made by ``gathering(to:)``.
  public func forward(_ emission: Emission) async throws { try await deliver(emission) }

  /// Tells that rows are left out on purpose: no cursor of the source may pass them.
  public func leaveCursors() { cursors?.leaveAll() }

  /// Tells that rows of this part are left out: its cursor may not pass them.
  public func leaveCursor() { cursors?.leave(part) }

  /// Tells that reading ended at `max_pages` though there was more: no cursor may pass what was left out.
  public func noteMaxPages(_ pages: Int) {
    tally.stop("max_pages")
    leaveCursor()
    log.note("\(source): stopped after \(pages) \(pages == 1 ? "page" : "pages") (max_pages)")
  }

  /// Publishes the schema of a provider whose ``Provider/schema`` is nil, before its first rows.
  ///
  /// - Returns: What the stages want of it.
  public func publish(_ schema: Schema) async throws -> ColumnDemand { try await publish(schema) }

  /// Runs the declared source `name`, with its stages, and hands its batches to `body`.
  public func rows(
    of name: String, _ body: @Sendable (Batch) async throws -> Void
  ) async throws {
    try await services.openSource(name, body)
  }

  /// Reads `provider` as a source of its own, such as the list whose entries are the parts of another, and hands its
  /// batches to `body` as they come.
  public func rows(
    of provider: some Provider, _ body: (Batch) async throws -> Void
  ) async throws {
    let queue = BoundedQueue<Emission>(capacity: 2)
    async let reading: Void = {
      do {
        try await provider.rows(gathering { try await queue.send($0) })
        queue.finish()
      } catch {
        queue.finish(throwing: error)
      }
    }()
    defer { queue.finish() }
    while let emission = try await queue.receive() {
      guard case .batch(let batch) = emission.work else { continue }
      try await body(batch)
    }
    await reading
  }

  /// The same context with another place for the rows, to be handed on later by ``forward(_:)``.
  public func gathering(
    to take: @escaping @Sendable (Emission) async throws -> Void
  ) -> ProviderContext {
    var copy = self
    copy.deliver = take
    return copy
  }

  /// The same context for a part that has a cursor of its own.
  public func ofPart(_ name: String) -> ProviderContext {
    var copy = self
    copy.part = name
    return copy
  }

  /// The same context for a provider that wants at most `count` rows: none is asked for in vain.
  public func wanting(_ count: Int?) -> ProviderContext {
    guard let count else { return self }
    var copy = self
    copy.limits.rows = min(count, limits.rows ?? count)
    return copy
  }

  /// The same context with another client.
  public func using(_ http: any HTTPClient) -> ProviderContext {
    var copy = self
    copy.services.http = http
    return copy
  }

  /// The same context for one of several parts: its first request goes out in its turn.
  func inTurn(
    _ turn: StartOrder.Turn, part: String,
    to take: @escaping @Sendable (Emission) async throws -> Void
  ) -> ProviderContext {
    using(InTurnClient(inner: http, turn: turn)).ofPart(part).gathering(to: take)
  }
}
