package import AggregateConfig
package import AggregateCore
import AggregateState
import AggregateTransport
import Synchronization

/// One run: the configuration, the log, and everything that its sources share.
package final class RunSession: Sendable {
  /// What the run was given.
  let context: RunContext
  /// What it is asked to do.
  let settings: RunSettings
  /// Knows the secrets.
  let redactor: Redactor
  /// What the run has to say.
  let log: RunLog
  /// The configuration; nil for commands that need none.
  let configuration: Configuration?
  /// What stages may use.
  let stageContext: StageContext
  /// Whether network, state, cache and quota are left alone, as a test does.
  let isIsolated: Bool

  private let clients: ClientFactory
  private let made = Mutex<[String: RowSource]>([:])
  private let metrics = Mutex<[(name: String, metrics: SourceMetrics, tally: SourceTally)]>([])
  private let trackers = Mutex<[CursorOwner: IncrementalTracker]>([:])
  /// The sources whose rows do not all go on, so that their cursors stay.
  private let left = Mutex<Set<String>>([])
  /// The incremental sources whose rows are filtered on their way.
  private let filtered = Mutex<Set<String>>([])
  /// The sources whose rows are asked for by name, and those that are read for others.
  private let roles = Mutex<(wanted: Set<String>, parents: Set<String>)>(([], []))
  private let shared = Mutex<[String: Task<[Batch], any Error>]>([:])

  /// Creates a session; nothing is asked or opened before a source is read.
  ///
  /// - Parameter isIsolated: Whether network, state, cache and quota are left alone.
  /// - Throws: ``AggregateError`` for settings that contradict each other, or a recording to replay
  ///   that can't be read.
  package init(
    _ context: RunContext, configuration: Configuration?, isIsolated: Bool = false
  ) throws {
    self.isIsolated = isIsolated
    self.context = context
    self.configuration = configuration
    settings = context.settings
    log = context.log
    redactor = context.redactor
    stageContext = StageContext(
      log: log, maxMemory: settings.maxMemory,
      temporaryDirectory: SystemFacts.temporaryDirectory,
      openOutput: StageFiles(settings, log, redactor).open)
    clients = try ClientFactory(
      settings, log, redactor, configuration: configuration?.path, isIsolated: isIsolated)
  }

  /// Runs sources.
  var runner: PipelineRunner {
    PipelineRunner(
      context: stageContext, width: SystemFacts.processors,
      resolve: { side in try self.sideSource(side) })
  }

  /// What the sources came to, in the order they were made.
  var reports: [(name: String, metrics: SourceMetrics, tally: SourceTally)] {
    metrics.withLock { $0 }
  }

  /// What the run learned of the hosts that it asked.
  var hosts: [HostRecords.Figures] { clients.hosts.figures }

  /// Writes what was to be written behind the run: answers to the cache, and the recording when one was asked for.
  package func finish() throws { try clients.finish() }

  /// Leaves the cursors of these sources where they are: not all of their rows are wanted.
  func leaveCursors(of names: [String]) { left.withLock { $0.formUnion(names) } }

  /// Saves the cursors of all sources that were read to their end; called once the output has the rows.
  ///
  /// - Throws: ``AggregateError`` with code `output`.
  func saveCursors() throws {
    let left = left.withLock { $0 }
    let failed = reports.filter { [.failed, .skipped].contains($0.tally.status) }.map(\.name)
    // Of what was read for another source the cursor moves only when that one has all its rows.
    let incomplete = Set(reports.filter { $0.tally.status == .partial }.map(\.name)).union(failed)
    for (key, tracker) in trackers.withLock({ $0 }) where !left.contains(key.description) {
      if failed.contains(key.source) { continue }
      if let reader = key.reader, left.contains(reader) || incomplete.contains(reader) { continue }
      // Parts that were read to their end count, a source without parts must be whole.
      let isWhole =
        !incomplete.contains(key.source) || !filtered.withLock { $0.contains(key.source) }
      try tracker.save(isWhole: isWhole)
    }
  }

  /// The cursors of a source; nil when it is not incremental.
  ///
  /// - Parameter reader: The source that it is read for, which has cursors of its own in it: it has
  ///   not seen what other runs of the source gave.
  func cursors(
    of declaration: SourceDeclaration, for reader: String? = nil
  ) -> IncrementalTracker? {
    let key = CursorOwner(source: declaration.name, reader: reader)
    if let tracker = trackers.withLock({ $0[key] }) { return tracker }
    let made = clients.cursors(of: declaration, as: key)
    return trackers.withLock { trackers in
      if let tracker = trackers[key] { return tracker }
      trackers[key] = made
      return made
    }
  }

  /// The source declared as `name`; the same one every time.
  ///
  /// - Throws: ``DiagnosticsError`` when its declaration is wrong.
  func source(_ name: String, onError: ErrorPolicy? = nil) throws -> RowSource {
    roles.withLock { _ = $0.wanted.insert(name) }
    return try known(name, onError: onError)
  }

  private func known(_ name: String, onError: ErrorPolicy? = nil) throws -> RowSource {
    if let source = made.withLock({ $0[name] }) { return source }
    guard let configuration, let declaration = configuration.source(name) else {
      throw AggregateError(
        .configuration, "there is no source “\(name)”",
        hint: Suggestions.hint(for: name, in: configuration?.sources.map(\.name) ?? []))
    }
    let source = try source(declaration, onError: onError)
    made.withLock { $0[name] = source }
    return source
  }

  /// A source as `declaration` says, a new one every time.
  ///
  /// - Throws: ``DiagnosticsError`` when the declaration is wrong.
  func source(
    _ declaration: SourceDeclaration, onError: ErrorPolicy? = nil, for reader: String? = nil
  ) throws -> RowSource {
    var diagnostics = Diagnostics()
    var stages = declaration.makeStages(from: context.stages, &diagnostics)
    if let expectation = declaration.makeExpectation(from: context.stages, &diagnostics) {
      stages.append(expectation)
    }
    let provider = try provider(declaration, &diagnostics)
    let policy = settings.onError ?? declaration.options.onError ?? onError ?? .fail
    return rowSource(declaration, provider, stages, policy, for: reader)
  }

  private func provider(
    _ declaration: SourceDeclaration, _ diagnostics: inout Diagnostics
  ) throws -> any Provider {
    let provider = declaration.makeProvider(&diagnostics)
    try diagnostics.throwIfErrors()
    guard let provider else {
      throw AggregateError(
        .configuration, "the source “\(declaration.name)” can't be made", source: declaration.name)
    }
    return provider
  }

  /// Divides a source into at most `count` parts; one part when its provider can't divide it.
  package func shards(_ declaration: SourceDeclaration, count: Int) async throws -> [Shard] {
    var diagnostics = Diagnostics()
    let provider = try provider(declaration, &diagnostics)
    guard let shardable = provider as? any ShardableProvider else { return [.whole] }
    let client = clients.client(
      for: declaration, metrics: SourceMetrics(), tally: SourceTally(), errorPolicy: .fail)
    let services = RunServices(
      http: try client(), log: log,
      openSource: { parent, body in
        try await self.forEachBatch(of: parent, for: declaration.name, body)
      })
    let context = ProviderContext(
      source: declaration.name, services: services, limits: ReadLimits(jobs: settings.jobs),
      parameters: declaration.options.params, emit: { _ in })
    do {
      let shards = try await shardable.shards(count, context)
      return shards.isEmpty ? [.whole] : shards
    } catch let error as AggregateError {
      throw error.of(source: declaration.name)
    }
  }

  /// How answers of a source are kept and used; nil where the cache is not used.
  func cachePolicy(of declaration: SourceDeclaration, _ errorPolicy: ErrorPolicy) -> CachePolicy? {
    clients.cachePolicy(of: declaration, errorPolicy)
  }

  /// How long a source's requests wait and how often they are tried.
  func requestPolicy(of declaration: SourceDeclaration) -> RequestPolicy {
    clients.requestPolicy(of: declaration)
  }

  /// A context to plan with: nothing is sent.
  func planningContext(_ declaration: SourceDeclaration) -> ProviderContext {
    ProviderContext(
      source: declaration.name, services: RunServices(http: UnreachableClient(), log: log),
      limits: ReadLimits(jobs: settings.jobs, maxPages: declaration.options.maxPages),
      parameters: declaration.options.params, cursors: cursors(of: declaration), emit: { _ in })
  }

  private func rowSource(
    _ declaration: SourceDeclaration, _ provider: any Provider, _ stages: [any Stage],
    _ policy: ErrorPolicy, for reader: String?
  ) -> RowSource {
    let name = declaration.name
    let owner = CursorOwner(source: name, reader: reader)
    let tally = SourceTally()
    let figures = SourceMetrics()
    metrics.withLock { $0.append((name, figures, tally)) }
    let hasProvenance = settings.hasProvenance || declaration.options.provenance
    let client = clients.client(
      for: declaration, metrics: figures, tally: tally, errorPolicy: policy)
    let tracker = cursors(of: declaration, for: reader)
    if stages.contains(where: { $0.rowLimit != nil }) { leaveCursors(of: [owner.description]) }
    // What the provider does not ask for window by window is left out as it comes.
    let dropsOlder = !provider.readsIncrementally
    if tracker != nil, dropsOlder { filtered.withLock { _ = $0.insert(name) } }
    let head = tracker.map { tracker -> RowSource.Head in
      { batch, emission in
        let new = try tracker.admit(batch, of: emission.part, dropsOlder: dropsOlder)
        return hasProvenance ? Provenance.label(new, emission.origin, source: name) : new
      }
    }
    let rowLimits = [settings.rowLimit] + stages.map(\.rowLimit)
    let limits = ReadLimits(
      jobs: min(settings.jobs, declaration.options.concurrency ?? settings.jobs),
      maxPages: settings.maxPages ?? declaration.options.maxPages,
      rows: rowLimits.compactMap(\.self).min())
    let parents = provider.sourceReferences.map(\.text)
    roles.withLock { $0.parents.formUnion(parents) }
    let sharedRead = reader == nil && tracker == nil ? SharedRead() : nil
    let read: @Sendable (RowSource.Hooks) async throws -> Void = { hooks in
      let http: any HTTPClient
      do {
        http = try client()
      } catch let error as AggregateError {
        throw error.of(source: name)
      }
      let services = RunServices(
        http: http, log: self.log, tokens: self.clients.tokens(), isLive: self.clients.isLive,
        openSource: { parent, body in
          try await self.forEachBatch(of: parent, for: declaration.name, body)
        })
      let context = ProviderContext(
        source: name, services: services, limits: limits, parameters: declaration.options.params,
        demand: head == nil ? hooks.demand : .all, errorPolicy: policy, tally: tally,
        cursors: tracker,
        publish: { schema in
          let demand = try await hooks.publish(hasProvenance ? Provenance.schema(schema) : schema)
          return hasProvenance || head != nil ? .all : demand
        },
        emit: { emission in
          guard hasProvenance, head == nil else { return try await hooks.emit(emission) }
          try await hooks.emit(emission.of(Provenance.label(emission, source: name)))
        })
      do {
        try await provider.rows(context)
        if dropsOlder { tracker?.finish("") }
      } catch let error as AggregateError {
        throw error.of(source: name)
      }
    }
    return RowSource(
      name: name, schema: provider.schema.map { hasProvenance ? Provenance.schema($0) : $0 },
      stages: stages, onError: policy, tally: tally, head: head
    ) { hooks in
      guard let sharedRead, self.isShared(name) else { return try await read(hooks) }
      try await sharedRead.run(hooks, read)
    }
  }

  /// Runs another declared source, once per run whoever asks for it, and hands on its batches.
  private func forEachBatch(
    of name: String, for reader: String, _ body: @Sendable (Batch) async throws -> Void
  ) async throws {
    let (source, key) = try parent(name, of: reader)
    let task = shared.withLock { shared in
      if let task = shared[key] { return task }
      let runner = runner
      let task = Task {
        let batches = Mutex<[Batch]>([])
        try await runner.forEach(source) { batch in batches.withLock { $0.append(batch) } }
        return batches.withLock { $0 }
      }
      shared[key] = task
      return task
    }
    let batches = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    for batch in batches { try await body(batch) }
  }

  /// Whether a source gives its rows both to the output and to another source.
  private func isShared(_ name: String) -> Bool {
    roles.withLock { $0.wanted.contains(name) && $0.parents.contains(name) }
  }

  /// A source that is read for another one, and what it is known as in this run.
  private func parent(_ name: String, of reader: String) throws -> (source: RowSource, key: String)
  {
    guard let declaration = configuration?.source(name), declaration.options.incremental != nil
    else {
      let source = try known(name)
      // The rows that are wanted for themselves are those that the report counts.
      return (isShared(name) ? source.withNewTally() : source, name)
    }
    let key = CursorOwner(source: name, reader: reader).description
    if let source = made.withLock({ $0[key] }) { return (source, key) }
    let source = try source(declaration, for: reader)
    made.withLock { $0[key] = source }
    return (source, key)
  }

  /// What a stage names beside its input: a declared source, or a file.
  private func sideSource(_ side: SideInput) throws -> RowSource {
    if let configuration, configuration.source(side.name) != nil { return try source(side.name) }
    if FileInputs.exists(side.name) {
      return FileInputs.source([side.name], settings, log: log)
    }
    throw DiagnosticsError([
      Diagnostic(
        .error, "unknown-source", "there is no source and no file “\(side.name)”",
        at: side.location,
        hint: configuration.map { Suggestions.hint(for: side.name, in: $0.sources.map(\.name)) })
    ])
  }
}

/// A client for planning: asking it anything is a mistake of the caller.
private struct UnreachableClient: HTTPClient {
  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    throw AggregateError(.internal, "a plan sends no requests")
  }
}
