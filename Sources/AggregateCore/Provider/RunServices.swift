/// What a run gives its sources to work with.
public struct RunServices: Sendable {
  /// Hands the batches of a declared source, with its stages, to a closure.
  public typealias OpenSource =
    @Sendable (String, @Sendable (Batch) async throws -> Void) async throws -> Void

  /// Sends requests, under the limits of the source.
  public var http: any HTTPClient
  /// Where warnings and losses go.
  public var log: RunLog
  /// Where tokens of logins are kept.
  public var tokens: any TokenKeeper
  /// Standard input, for a provider that reads it.
  public var standardInput: Int32 = 0
  /// Whether services are really asked; not with samples or a recording, which need no key.
  public var isLive = true
  /// Runs another declared source.
  public var openSource: OpenSource

  /// Creates services; without `openSource` there are no other sources.
  public init(
    http: any HTTPClient, log: RunLog, tokens: any TokenKeeper = MemoryTokens(),
    isLive: Bool = true,
    openSource: @escaping OpenSource = { name, _ in
      throw AggregateError(.configuration, "there is no source “\(name)”")
    }
  ) {
    self.http = http
    self.log = log
    self.tokens = tokens
    self.isLive = isLive
    self.openSource = openSource
  }
}

/// How much of a source is read.
public struct ReadLimits: Sendable, Hashable {
  /// How many requests may be under way at once.
  public var jobs: Int
  /// The most pages that may be read of one part; nil for no bound.
  public var maxPages: Int?
  /// How many rows are wanted at most, where that is known; more may be given.
  public var rows: Int?

  /// Creates limits.
  public init(jobs: Int = 8, maxPages: Int? = nil, rows: Int? = nil) {
    self.jobs = jobs
    self.maxPages = maxPages
    self.rows = rows
  }
}
