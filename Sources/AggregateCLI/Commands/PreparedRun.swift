import AggregateConfig
import AggregateCore

/// A run of declared sources and pipelines, ready to start: the names looked up, stages made,
/// several merged.
struct PreparedRun {
  /// What the run shares.
  let session: RunSession
  /// The rows, with all stages.
  let source: RowSource
  /// Where they go.
  let output: OutputFactory

  /// Prepares a run of `names`, of which there must be at least one.
  ///
  /// - Parameter isIsolated: Whether network, state, cache and quota are left alone.
  /// - Throws: ``AggregateError`` or ``DiagnosticsError`` for what is wrong before data flows.
  init(
    _ names: [String], _ options: RunOptions, _ configuration: Configuration,
    _ loader: ConfigurationLoader, _ program: Program, _ console: Console, _ log: RunLog,
    isIsolated: Bool = false
  ) throws {
    let targets = try names.map { try RunCommand.target($0, in: configuration, program) }
    let overridden = try ConfigurationAccess.override(
      configuration, loader, options.arguments, targets.flatMap(\.sources))
    try ConfigurationAccess.throwIfUnresolved(overridden, targets)
    let session = try RunSession(
      program, options, console, log, configuration: overridden, isIsolated: isIsolated)
    var diagnostics = Diagnostics()
    var pipelineOutput: Options?
    var sources: [RowSource] = []
    for target in targets {
      let members = try target.sources.map {
        try session.source($0, onError: target.pipeline?.onError)
      }
      guard let pipeline = target.pipeline else {
        sources.append(contentsOf: members)
        continue
      }
      let stages = pipeline.stages.compactMap { program.stages.make($0, &diagnostics) }
      if stages.contains(where: { $0.rowLimit != nil }) {
        session.leaveCursors(of: target.sources)
      }
      let merged =
        try members.count == 1
        ? members[0] : .merged(pipeline.name, members, runner: session.runner)
      sources.append(merged.appending(stages))
      pipelineOutput = pipeline.output
    }
    try diagnostics.throwIfErrors()
    let whole =
      try sources.count == 1
      ? sources[0] : .merged(names.joined(separator: "+"), sources, runner: session.runner)
    let policy =
      targets.flatMap(\.sources).compactMap { overridden.source($0) }
      .map(\.options.onNewColumn).first { $0 != .error } ?? .error
    var output = try OutputFactory(options, policy: policy, stream: names[0])
    if targets.count == 1, let pipelineOutput { try output.apply(pipelineOutput, from: options) }
    self.session = session
    self.output = output
    source = whole.appending(try RunExecution.stages(options, program))
  }
}
