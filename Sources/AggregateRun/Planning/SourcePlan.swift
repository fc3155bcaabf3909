import AggregateConfig
import AggregateCore
import AggregateTransport

/// All that can be told of a source before it is run, without asking anybody.
struct SourcePlan {
  let name: String
  /// The name of its provider.
  let provider: String
  /// The first requests that are known in advance.
  let requests: [HTTPRequest]
  /// How the provider pages, divides and authenticates.
  let how: ProviderPlan
  /// The options with a key or a password that are set, where the provider does not say more.
  let secretOptions: [String]
  /// The most pages of a partition.
  let maxPages: Int?
  /// How answers are kept; nil where the cache is not used.
  let cache: CachePolicy?
  /// How it asks for what is new, and what it knows.
  let incremental: IncrementalPlan?
  let rateLimit: Quantities.Rate?
  /// The quota, with what is used of it.
  let quota: QuotaUsage?
  let concurrency: Int?
  let policy: RequestPolicy
  /// The keys under `retry` that are declared.
  let retryKeys: Set<String>
  /// Whether the timeouts are said, in the configuration or for this run.
  let hasTimeouts: Bool
  let onError: ErrorPolicy
  let stages: PlannedStages

  /// How many requests are not shown, as far as they are known: at least one per partition.
  var moreRequests: Int {
    requests.isEmpty
      ? 0 : max(0, max(requests.count, how.partitions ?? 0) - min(requests.count, PlanText.shown))
  }

  /// - Parameters:
  ///   - more: Stages behind those that are declared.
  ///   - onError: What the pipeline says of failures.
  ///   - staysPut: Whether the run ends before the source was read to its end.
  ///   - quotas: What is used of the quotas of the configuration.
  /// - Throws: ``DiagnosticsError`` when the declaration is wrong; ``AggregateError`` when the state
  ///   can't be read.
  init(
    _ declaration: SourceDeclaration, _ session: RunSession, appending more: [any Stage],
    onError pipelinePolicy: ErrorPolicy?, staysPut: Bool, quotas: [QuotaUsage]
  ) throws {
    var diagnostics = Diagnostics()
    let provider = declaration.makeProvider(&diagnostics)
    try diagnostics.throwIfErrors()
    let options = declaration.options
    let source = try session.source(declaration.name, onError: pipelinePolicy).appending(more)
    let how = provider?.plan ?? ProviderPlan()
    name = declaration.name
    self.provider = declaration.provider?.spec.name ?? "?"
    requests = try provider?.plannedRequests(session.planningContext(declaration)) ?? []
    self.how = how
    secretOptions = (declaration.provider?.spec.options ?? [])
      .filter { $0.isSecret && declaration.node[$0.name] != nil }.map(\.name)
    maxPages = [session.settings.maxPages ?? options.maxPages, how.paging?.maxPages]
      .compactMap(\.self).min()
    let onError = source.onError
    self.onError = onError
    cache = session.cachePolicy(of: declaration, onError)
    let readsIncrementally = provider?.readsIncrementally ?? false
    stages = try PlannedStages(
      source, session, needsAll: options.incremental != nil && !readsIncrementally)
    let stays = staysPut || stages.rowLimit != nil
    incremental = try options.incremental.map {
      try IncrementalPlan(
        $0, session.cursors(of: declaration), isAsked: readsIncrementally, staysPut: stays)
    }
    rateLimit = options.rateLimit
    quota =
      options.quota == nil ? nil : quotas.first { $0.source == declaration.name }
    concurrency = options.concurrency
    policy = session.requestPolicy(of: declaration)
    retryKeys = Set(declaration.node["retry"]?.mapping?.map(\.key) ?? [])
    hasTimeouts = declaration.node["timeout"] != nil || session.settings.timeout != nil
  }
}
