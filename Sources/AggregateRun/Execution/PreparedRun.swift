package import AggregateConfig
package import AggregateCore

/// A run of declared sources and pipelines, ready to start: stages made, several merged.
package struct PreparedRun {
  /// What the run shares.
  package let session: RunSession
  /// The rows, with all stages.
  package let source: RowSource
  /// Where they go.
  package let output: OutputFactory

  /// Prepares a run of `targets`, of which there must be at least one.
  ///
  /// - Parameters:
  ///   - stages: Stages behind those that are declared.
  ///   - isIsolated: Whether network, state, cache and quota are left alone.
  /// - Throws: ``AggregateError`` or ``DiagnosticsError`` for what is wrong before data flows.
  package init(
    _ targets: [RunTarget], in configuration: Configuration, _ loader: ConfigurationLoader,
    _ context: RunContext, appending stages: [any Stage] = [], isIsolated: Bool = false
  ) throws {
    let overridden = try configuration.setting(
      context.settings.parameters, of: targets.flatMap(\.sources), with: loader)
    try overridden.throwIfUnresolved(targets)
    let session = try RunSession(context, configuration: overridden, isIsolated: isIsolated)
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
      let stages = pipeline.stages.compactMap { context.stages.make($0, &diagnostics) }
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
      ? sources[0]
      : .merged(targets.map(\.name).joined(separator: "+"), sources, runner: session.runner)
    let policy =
      targets.flatMap(\.sources).compactMap { overridden.source($0) }
      .map(\.options.onNewColumn).first { $0 != .error } ?? .error
    var output = OutputFactory(
      context.settings.output, policy: policy, stream: targets[0].name)
    if targets.count == 1, let pipelineOutput {
      try output.apply(pipelineOutput, unless: context.settings.output)
    }
    self.init(session: session, source: whole.appending(stages), output: output)
  }

  /// A run of rows that are there already.
  package init(session: RunSession, source: RowSource, output: OutputFactory) {
    self.session = session
    self.source = source
    self.output = output
  }
}
