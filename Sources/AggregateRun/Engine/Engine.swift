import AggregateConfig
public import AggregateCore
import AggregateStages

/// The sources and pipelines of a `sources.yaml`, for Swift programs: their rows, batch by batch.
///
/// Runs are those of `aggregate run`: with the cache, cursors, quotas and limits that are kept between
/// runs, and the same rows in the same order. Nothing is written to standard output or error.
public struct Engine: Sendable {
  /// What runs are asked to do.
  public let settings: RunSettings
  private let configuration: Configuration
  private let loader: ConfigurationLoader
  private let redactor: Redactor
  private let onMessage: @Sendable (String) -> Void

  /// Loads a configuration; nothing is asked or opened.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - providers: The providers that its sources may name.
  ///   - settings: What runs are asked to do.
  ///   - onMessage: Told warnings, and what of a run failed while the rest went on; without secrets.
  /// - Throws: ``DiagnosticsError`` with all the mistakes in the file.
  public init(
    configuration path: String, providers: ProviderRegistry,
    settings: RunSettings = RunSettings(),
    onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    let redactor = Redactor()
    loader = ConfigurationLoader(
      providers: providers, stages: Stages.registry, redactor: redactor)
    let (configuration, diagnostics) = loader.load(path: path)
    try diagnostics.throwIfErrors()
    self.configuration = configuration
    self.settings = settings
    self.redactor = redactor
    self.onMessage = { onMessage(redactor.redact($0)) }
    for diagnostic in diagnostics.sorted { self.onMessage(diagnostic.rendered) }
  }

  /// The names of the sources, in the order of the file.
  public var sources: [String] { configuration.sources.map(\.name) }

  /// The names of the pipelines, in the order of the file.
  public var pipelines: [String] { configuration.pipelines.map(\.name) }

  /// The rows of a source or a pipeline; every iteration is a run of its own.
  ///
  /// The run begins with the first batch that is asked for. Leaving the loop, or cancelling the task
  /// that it is in, stops its requests. The cursors of incremental sources move once the loop has
  /// asked for more than the last batch.
  public func rows(of name: String) -> EngineRows {
    EngineRows { [self] in
      let log = RunLog(level: .normal, isStrict: false) { onMessage("\($0)") }
      let context = RunContext(
        settings, stages: Stages.registry, log: log, redactor: redactor,
        observer: MessageObserver(tell: onMessage))
      let run = try PreparedRun(
        [RunTarget.named(name, in: configuration)], in: configuration, loader, context)
      return RunExecution(run, start: .now)
    }
  }
}

/// Tells failures as messages.
private struct MessageObserver: RunObserver {
  let tell: @Sendable (String) -> Void

  func failed(_ error: any Error) { tell("\(error)") }
}
