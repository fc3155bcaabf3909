import AggregateConfig
import AggregateCore
import AggregateState
import AggregateTransport
import Synchronization

/// Makes the HTTP client of each source: over the network, from samples, or from a recording.
///
/// All sources of a run share connections, the bound on requests under way and the recording.
/// Nothing is loaded or opened before the first client is asked for.
final class ClientFactory: Sendable {
  private let settings: RunSettings
  private let log: RunLog
  private let redactor: Redactor
  private let configuration: String
  private let slots: RequestSlots
  /// What the run learned of the hosts that it asked.
  let hosts = HostRecords()
  private let wire: any Wire
  private let recorder: (recorder: Recorder, path: String)?
  private let waits: Bool
  private let database: StateDatabase
  private let cache: CacheStore
  /// Whether the run talks to services, so that what it learns is kept for the next one.
  let isLive: Bool

  /// - Parameter configuration: The path of the configuration file, which tells the sources of one
  ///   file from those of another in the state folder.
  /// - Parameter isIsolated: Whether nothing may be asked of the network.
  /// - Throws: ``AggregateError`` when the recording to replay can't be read.
  init(
    _ settings: RunSettings, _ log: RunLog, _ redactor: Redactor, configuration: String?,
    isIsolated: Bool = false
  ) throws {
    self.settings = settings
    self.log = log
    self.redactor = redactor
    self.configuration = StateScope.path(of: configuration ?? "")
    slots = RequestSlots(settings.jobs)
    database = StateDatabase(
      path: StateFolder.state(ConfigurationLoader.processEnvironment) + "/state.db")
    cache = CacheStore(environment: ConfigurationLoader.processEnvironment)
    isLive =
      !isIsolated && !settings.usesSamples && settings.replay == nil
    if settings.cache == .offline, settings.record != nil {
      throw AggregateError(
        .configuration, "--record and --offline contradict each other: nothing is sent")
    }
    let engine = CurlEngine(userAgent: EngineVersion.userAgent)
    if let path = settings.replay {
      wire = try ReplayWire(path: path, redactor: redactor)
      recorder = nil
      waits = false
    } else if isIsolated {
      wire = ClosedWire()
      recorder = nil
      waits = false
    } else if let path = settings.record {
      let recorder = Recorder(redactor: redactor, version: EngineVersion.text)
      wire = recorder.recording(engine)
      self.recorder = (recorder, path)
      waits = true
    } else {
      wire = engine
      recorder = nil
      waits = true
    }
  }

  /// A closure that makes the client of a source when it is run.
  func client(
    for declaration: SourceDeclaration, metrics: SourceMetrics, tally: SourceTally,
    errorPolicy: ErrorPolicy
  ) -> @Sendable () throws -> any HTTPClient {
    { [self] in
      if settings.usesSamples {
        return SampleClient(
          source: declaration.name, samples: declaration.provider?.spec.samples ?? [])
      }
      let limit =
        waits
        ? SharedLimit(
          database: database,
          scope: StateScope(config: configuration, source: declaration.name),
          rate: declaration.options.rateLimit, quota: declaration.options.quota, log: log) : nil
      let transport = HTTPTransport(
        source: declaration.name, wire: wire, policy: requestPolicy(of: declaration), slots: slots,
        concurrency: declaration.options.concurrency, limit: limit, hosts: hosts, log: log,
        redactor: redactor, metrics: metrics, waits: waits)
      return cached(transport, declaration, metrics, tally, errorPolicy)
    }
  }

  /// How long a source's requests wait and how often they are tried.
  func requestPolicy(of declaration: SourceDeclaration) -> RequestPolicy {
    var policy = declaration.options.policy
    if let timeout = settings.timeout {
      policy.totalTimeout = timeout
      policy.connectTimeout = min(policy.connectTimeout, timeout)
      policy.stallTimeout = min(policy.stallTimeout, timeout)
    }
    return policy
  }

  /// The cache in front of a client, where the options and the source want one.
  private func cached(
    _ client: any HTTPClient, _ declaration: SourceDeclaration, _ metrics: SourceMetrics,
    _ tally: SourceTally, _ errorPolicy: ErrorPolicy
  ) -> any HTTPClient {
    guard let policy = cachePolicy(of: declaration, errorPolicy) else { return client }
    return CacheClient(
      source: declaration.name, inner: client, store: cache, policy: policy,
      identity: ["auth", "tls"].compactMap { declaration.node[$0].map(Self.text) }.joined(),
      metrics: metrics, log: log,
      redactor: redactor,
      onStale: { error in if tally.status == .ok { tally.fail(error, .stale) } })
  }

  /// How answers are kept and used; nil where the cache is not used.
  func cachePolicy(
    of declaration: SourceDeclaration, _ errorPolicy: ErrorPolicy
  ) -> CachePolicy? {
    // A recording must have every answer, and be complete without the cache.
    guard isLive, recorder == nil, settings.cache != .none else { return nil }
    var policy = CachePolicy()
    switch declaration.options.cache {
    case .off:
      if settings.cache != .offline { return nil }
    case .on(let ttl, let staleIfError):
      policy.ttl = ttl
      policy.staleIfError = staleIfError
    }
    if errorPolicy == .stale {
      policy.staleIfError = .seconds(10_000_000_000)
      policy.standsInForAll = true
    }
    policy.mode =
      switch settings.cache {
      case .offline: .offline
      case .refresh: .refresh
      case .normal, .none: .normal
      }
    return policy
  }

  /// The text of a part of the configuration, values of variables included; never shown.
  private static func text(_ node: Node) -> String {
    switch node.content {
    case .scalar(let scalar): EscapedText.quoted(scalar.text)
    case .sequence(let nodes): "[\(nodes.map(text).joined(separator: ","))]"
    case .mapping(let entries):
      "{\(entries.map { "\(EscapedText.quoted($0.key)):\(text($0.value))" }.joined(separator: ","))}"
    }
  }

  /// Where the tokens of the run's sources are kept.
  func tokens() -> any TokenKeeper {
    StoredTokens(database: isLive ? database : nil, log: log, redactor: redactor)
  }

  /// The cursors of a source; nil when it is not incremental.
  func cursors(of declaration: SourceDeclaration, as owner: CursorOwner) -> IncrementalTracker? {
    declaration.options.incremental.map { options in
      IncrementalTracker(
        options, scope: StateScope(config: configuration, source: owner.description),
        database: isLive ? database : nil, log: log)
    }
  }

  /// Writes what was to be written behind the run: answers to the cache, and the recording when one is made.
  func finish() throws {
    do { try cache.flush() } catch {
      log.warn("the cache is not used: \((error as? AggregateError)?.message ?? "\(error)")")
    }
    if let recorder { try recorder.recorder.write(to: recorder.path) }
  }
}
