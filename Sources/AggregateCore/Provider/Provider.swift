/// A compiled-in module that knows one kind of source.
///
/// Most providers are an ``EndpointProvider``: an endpoint, a decoder and a row mapper. One whose
/// rows do not come over HTTP implements ``rows(_:)`` itself.
public protocol Provider: Sendable {
  /// Name, options, columns, example and samples.
  static var spec: ProviderSpec { get }

  /// Creates a provider from options that were checked against the spec.
  ///
  /// Further mistakes go to `diagnostics`. Nothing is read or requested here.
  init(_ options: Options, _ diagnostics: inout Diagnostics)

  /// The columns of its rows, known before any request; nil when only the data can tell.
  var schema: Schema? { get }

  /// Reads the source and emits its rows, in an order that does not depend on `context.jobs`.
  ///
  /// Whoever wants no more rows cancels the task: `emit` then throws `CancellationError`.
  func rows(_ context: ProviderContext) async throws

  /// Other declared sources whose rows it reads, as they were named.
  var sourceReferences: [LocatedText] { get }

  /// Whether it reads an incremental source window by window itself; else its rows are filtered.
  var readsIncrementally: Bool { get }

  /// The first requests of a run as far as they are known without asking, for `aggregate plan`.
  func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest]

  /// How it pages, divides and authenticates, for `aggregate plan`.
  var plan: ProviderPlan { get }
}

extension Provider {
  /// None.
  public var sourceReferences: [LocatedText] { [] }

  /// It does not.
  public var readsIncrementally: Bool { false }

  /// None.
  public func plannedRequests(_ context: ProviderContext) throws -> [HTTPRequest] { [] }

  /// Nothing is known.
  public var plan: ProviderPlan { ProviderPlan() }
}

/// What a provider may use while it runs.
public struct ProviderContext: Sendable {
  /// The name of the source, as declared.
  public let source: String
  /// Sends requests, under the limits of this source.
  public let http: any HTTPClient
  /// Where warnings and losses go.
  public let log: RunLog
  /// How many requests may be under way at once.
  public let jobs: Int
  /// The most pages that may be read of one partition; nil for no bound.
  public let maxPages: Int?
  /// Named values set with `params:` and `-p`.
  public let parameters: [String: String]
  /// How many rows are wanted at most, where that is known; more may be given.
  public let rowLimit: Int?
  /// Which values are wanted by the stages behind; more may be given.
  public let demand: ColumnDemand
  /// Standard input, for a provider that reads it.
  public let standardInput: Int32
  /// What happens when a part of the source fails.
  public let errorPolicy: ErrorPolicy
  /// Where failures of parts are noted when the others go on.
  public let tally: SourceTally
  /// Where tokens of logins are kept.
  public let tokens: any TokenKeeper
  /// The cursors, when the source is incremental.
  public let incremental: (any IncrementalReader)?
  /// Whether services are really asked; not with samples or a recording, which need no key.
  public let isLive: Bool
  /// The partition whose rows are emitted through this context; empty where there is but one.
  public let part: String
  private let deliver: @Sendable (Emission) async throws -> Void
  private let publish: @Sendable (Schema) async throws -> ColumnDemand
  private let openSource:
    @Sendable (String, @Sendable (Batch) async throws -> Void) async throws -> Void

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - label: Marks rows with where they came from, before they are handed on.
  ///   - publish: Receives the schema of a provider that has none in advance; gives the demand.
  ///   - openSource: Runs another declared source.
  ///   - emit: Receives the rows.
  public init(
    source: String, http: any HTTPClient, log: RunLog, jobs: Int, maxPages: Int? = nil,
    rowLimit: Int? = nil, parameters: [String: String] = [:], demand: ColumnDemand = .all,
    standardInput: Int32 = 0,
    errorPolicy: ErrorPolicy = .fail, tally: SourceTally = SourceTally(),
    tokens: any TokenKeeper = MemoryTokens(), incremental: (any IncrementalReader)? = nil,
    isLive: Bool = true,
    label: @escaping @Sendable (Emission) -> Work = { $0.work },
    publish: @escaping @Sendable (Schema) async throws -> ColumnDemand = { _ in .all },
    openSource:
      @escaping @Sendable (
        String, @Sendable (Batch) async throws -> Void
      ) async throws -> Void = { name, _ in
        throw AggregateError(.configuration, "there is no source “\(name)”")
      },
    emit: @escaping @Sendable (Work) async throws -> Void
  ) {
    self.init(
      source: source, http: http, log: log, jobs: jobs, maxPages: maxPages, rowLimit: rowLimit,
      parameters: parameters, demand: demand, standardInput: standardInput,
      errorPolicy: errorPolicy, tally: tally, tokens: tokens, incremental: incremental,
      isLive: isLive, part: "", publish: publish, openSource: openSource,
      deliver: { try await emit(label($0)) })
  }

  private init(
    source: String, http: any HTTPClient, log: RunLog, jobs: Int, maxPages: Int?, rowLimit: Int?,
    parameters: [String: String], demand: ColumnDemand, standardInput: Int32,
    errorPolicy: ErrorPolicy, tally: SourceTally, tokens: any TokenKeeper,
    incremental: (any IncrementalReader)?, isLive: Bool, part: String,
    publish: @escaping @Sendable (Schema) async throws -> ColumnDemand,
    openSource:
      @escaping @Sendable (
        String, @Sendable (Batch) async throws -> Void
      ) async throws -> Void,
    deliver: @escaping @Sendable (Emission) async throws -> Void
  ) {
    self.source = source
    self.http = http
    self.log = log
    self.jobs = jobs
    self.maxPages = maxPages
    self.rowLimit = rowLimit
    self.parameters = parameters
    self.demand = demand
    self.standardInput = standardInput
    self.errorPolicy = errorPolicy
    self.tally = tally
    self.tokens = tokens
    self.incremental = incremental
    self.isLive = isLive
    self.part = part
    self.publish = publish
    self.openSource = openSource
    self.deliver = deliver
  }

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
  public func leaveCursors() { incremental?.leaveAll() }

  /// Tells that reading ended at `max_pages` though there was more: no cursor may pass what was left out.
  public func noteMaxPages(_ pages: Int) {
    tally.stop("max_pages")
    incremental?.leave(part)
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
    try await openSource(name, body)
  }

  /// The same context with another place for the rows, to be handed on later by ``forward(_:)``.
  public func gathering(
    to take: @escaping @Sendable (Emission) async throws -> Void
  ) -> ProviderContext {
    with(http, part, take)
  }

  /// The same context for a part that has a cursor of its own.
  public func ofPart(_ name: String) -> ProviderContext { with(http, name, deliver) }

  /// The same context for one of several parts: its first request goes out in its turn.
  func inTurn(
    _ turn: StartOrder.Turn, part: String,
    to take: @escaping @Sendable (Emission) async throws -> Void
  ) -> ProviderContext {
    with(InTurnClient(inner: http, turn: turn), part, take)
  }

  private func with(
    _ http: any HTTPClient, _ part: String,
    _ deliver: @escaping @Sendable (Emission) async throws -> Void
  ) -> ProviderContext {
    ProviderContext(
      source: source, http: http, log: log, jobs: jobs, maxPages: maxPages, rowLimit: rowLimit,
      parameters: parameters, demand: demand, standardInput: standardInput,
      errorPolicy: errorPolicy, tally: tally, tokens: tokens, incremental: incremental,
      isLive: isLive, part: part, publish: publish, openSource: openSource, deliver: deliver)
  }
}

/// The providers that this program knows, by name. Instantiable, for tests.
public struct ProviderRegistry: Sendable {
  /// All providers, in the order they are listed.
  public let providers: [any Provider.Type]

  /// Creates a registry; names must be unique.
  public init(_ providers: [any Provider.Type]) { self.providers = providers }

  /// The names, in order.
  public var names: [String] { providers.map { $0.spec.name } }

  /// The provider of this name.
  public subscript(name: String) -> (any Provider.Type)? {
    providers.first { $0.spec.name == name }
  }
}
