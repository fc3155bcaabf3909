public import AggregateCore

extension ProviderContext {
  /// A context for tests: what they do not care about has a usual value, and rows come as they are.
  public init(
    source: String, http: any HTTPClient, log: RunLog, jobs: Int, maxPages: Int? = nil,
    rowLimit: Int? = nil, parameters: [String: String] = [:], errorPolicy: ErrorPolicy = .fail,
    tally: SourceTally = SourceTally(), cursors: (any Cursors)? = nil, isLive: Bool = true,
    standardInput: Int32 = 0, tokens: any TokenKeeper = MemoryTokens(),
    demand: ColumnDemand = .all,
    publish: @escaping @Sendable (Schema) async throws -> ColumnDemand = { _ in .all },
    openSource: @escaping RunServices.OpenSource = { name, _ in
      throw AggregateError(.configuration, "there is no source “\(name)”")
    },
    emit: @escaping @Sendable (Work) async throws -> Void
  ) {
    var services = RunServices(
      http: http, log: log, tokens: tokens, isLive: isLive, openSource: openSource)
    services.standardInput = standardInput
    self.init(
      source: source, services: services,
      limits: ReadLimits(jobs: jobs, maxPages: maxPages, rows: rowLimit), parameters: parameters,
      demand: demand, errorPolicy: errorPolicy, tally: tally, cursors: cursors, publish: publish,
      emit: { try await emit($0.work) })
  }
}
