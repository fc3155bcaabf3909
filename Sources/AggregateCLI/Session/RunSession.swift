import AggregateConfig
import AggregateCore
import AggregateState
import AggregateTransport
import Synchronization

/// One run: the configuration, the log, and everything that its sources share.
final class RunSession: Sendable {
  /// What the program is made of.
  let program: Program
  /// The options of the run.
  let options: RunOptions
  /// Where messages go.
  let console: Console
  /// Knows the secrets.
  let redactor: Redactor
  /// What the run has to say.
  let log: RunLog
  /// The configuration; nil for commands that need none.
  let configuration: Configuration?
  /// What stages may use.
  let stageContext: StageContext

  private let clients: ClientFactory
  private let made = Mutex<[String: RowSource]>([:])
  private let metrics = Mutex<[(name: String, metrics: SourceMetrics, tally: SourceTally)]>([])
  private let shared = Mutex<[String: Task<[Batch], any Error>]>([:])

  init(
    _ program: Program, _ options: RunOptions, _ console: Console, _ log: RunLog,
    configuration: Configuration?
  ) throws {
    self.program = program
    self.options = options
    self.console = console
    self.log = log
    self.configuration = configuration
    redactor = console.redactor
    stageContext = StageContext(
      log: log, maxMemory: options.maxMemory,
      temporaryDirectory: SystemFacts.temporaryDirectory)
    clients = try ClientFactory(options, log, redactor, configuration: configuration?.path)
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

  /// Writes the recording, when one was asked for.
  func finishRecording() throws { try clients.finishRecording() }

  /// The source declared as `name`; the same one every time.
  ///
  /// - Throws: ``DiagnosticsError`` when its declaration is wrong.
  func source(_ name: String, onError: ErrorPolicy? = nil) throws -> RowSource {
    if let source = made.withLock({ $0[name] }) { return source }
    guard let configuration, let declaration = configuration.source(name) else {
      throw AggregateError(
        .configuration, "there is no source “\(name)”",
        hint: Suggestions.hint(for: name, in: configuration?.sources.map(\.name) ?? []))
    }
    var diagnostics = Diagnostics()
    let provider = declaration.makeProvider(&diagnostics)
    let stages = declaration.makeStages(from: program.stages, &diagnostics)
    try diagnostics.throwIfErrors()
    guard let provider else {
      throw AggregateError(.configuration, "the source “\(name)” can't be made", source: name)
    }
    let policy = options.onError ?? declaration.options.onError ?? onError ?? .fail
    let source = rowSource(declaration, provider, stages, policy)
    made.withLock { $0[name] = source }
    return source
  }

  /// A context to plan with: nothing is sent.
  func planningContext(_ declaration: SourceDeclaration) -> ProviderContext {
    ProviderContext(
      source: declaration.name, http: UnreachableClient(), log: log, jobs: options.jobs,
      maxPages: declaration.options.maxPages, parameters: declaration.options.params,
      emit: { _ in })
  }

  private func rowSource(
    _ declaration: SourceDeclaration, _ provider: any Provider, _ stages: [any Stage],
    _ policy: ErrorPolicy
  ) -> RowSource {
    let name = declaration.name
    let tally = SourceTally()
    let figures = SourceMetrics()
    metrics.withLock { $0.append((name, figures, tally)) }
    let hasProvenance = options.arguments.has("provenance") || declaration.options.provenance
    let client = clients.client(for: declaration, metrics: figures)
    let jobs = min(options.jobs, declaration.options.concurrency ?? options.jobs)
    let maxPages = options.limitPages ?? declaration.options.maxPages
    return RowSource(
      name: name, schema: provider.schema.map { hasProvenance ? Provenance.schema($0) : $0 },
      stages: stages, onError: policy, tally: tally
    ) { hooks in
      let http: any HTTPClient
      do {
        http = try client()
      } catch let error as AggregateError {
        throw error.of(source: name)
      }
      let context = ProviderContext(
        source: name, http: http, log: self.log, jobs: jobs, maxPages: maxPages,
        parameters: declaration.options.params, demand: hooks.demand, errorPolicy: policy,
        tally: tally,
        label: { work, origin in
          hasProvenance ? Provenance.label(work, origin, source: name) : work
        },
        publish: { schema in
          let demand = try await hooks.publish(hasProvenance ? Provenance.schema(schema) : schema)
          return hasProvenance ? .all : demand
        },
        openSource: { name, body in try await self.forEachBatch(of: name, body) },
        emit: hooks.emit)
      do {
        try await provider.rows(context)
      } catch let error as AggregateError {
        throw error.of(source: name)
      }
    }
  }

  /// Runs another declared source, once per run whoever asks for it, and hands on its batches.
  private func forEachBatch(
    of name: String, _ body: @Sendable (Batch) async throws -> Void
  ) async throws {
    let source = try source(name)
    let task = shared.withLock { shared in
      if let task = shared[name] { return task }
      let runner = runner
      let task = Task {
        let batches = Mutex<[Batch]>([])
        try await runner.forEach(source) { batch in batches.withLock { $0.append(batch) } }
        return batches.withLock { $0 }
      }
      shared[name] = task
      return task
    }
    let batches = try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
    for batch in batches { try await body(batch) }
  }

  /// What a stage names beside its input: a declared source, or a file.
  private func sideSource(_ side: SideInput) throws -> RowSource {
    if let configuration, configuration.source(side.name) != nil { return try source(side.name) }
    if FileInputs.exists(side.name) {
      return FileInputs.source([side.name], options: options, log: log)
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
