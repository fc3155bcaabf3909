package import AggregateConfig
package import AggregateCore

/// The plan of a run: its sources, and how they are merged.
package struct RunPlan {
  private(set) var sources: [SourcePlan] = []
  private(set) var pipelines: [PipelinePlan] = []

  /// Plans a run of `targets`.
  ///
  /// - Parameters:
  ///   - more: Stages behind those that are declared.
  ///   - isOneRun: Whether several targets are merged, as a run does; else each is for itself.
  /// - Throws: ``DiagnosticsError`` or ``AggregateError`` for what a run would refuse.
  package init(
    _ targets: [RunTarget], _ configuration: Configuration, _ session: RunSession,
    appending more: [any Stage], isOneRun: Bool
  ) throws {
    let quotas = try QuotaUsage.all(of: configuration)
    var rows: [RowSource] = []
    for target in targets {
      let members = try target.sources.map {
        try session.source($0, onError: target.pipeline?.onError)
      }
      var behind = try Self.stages(of: target, session)
      if targets.count == 1 || !isOneRun { behind += more }
      let stops = (behind + (isOneRun ? more : [])).contains { $0.rowLimit != nil }
      for name in target.sources where !sources.contains(where: { $0.name == name }) {
        guard let declaration = configuration.source(name) else { continue }
        sources.append(
          try SourcePlan(
            declaration, session, appending: members.count == 1 ? behind : [],
            onError: target.pipeline?.onError, staysPut: stops, quotas: quotas))
      }
      let merged =
        try members.count == 1
        ? members[0] : RowSource.merged(target.name, members, runner: session.runner)
      rows.append(merged.appending(behind))
      guard target.pipeline != nil else { continue }
      pipelines.append(
        try PipelinePlan(
          target.name, merged.appending(behind), of: target.sources, target.pipeline, session))
    }
    if isOneRun, rows.count > 1 {
      let names = targets.map(\.name)
      let name = names.joined(separator: "+")
      let merged = try RowSource.merged(name, rows, runner: session.runner).appending(more)
      pipelines.append(try PipelinePlan(name, merged, of: names, nil, session))
    }
  }

  private static func stages(
    of target: RunTarget, _ session: RunSession
  ) throws -> [any Stage] {
    var diagnostics = Diagnostics()
    let stages = target.pipeline?.stages.compactMap {
      session.context.stages.make($0, &diagnostics)
    }
    try diagnostics.throwIfErrors()
    return stages ?? []
  }

  /// For people.
  package var text: String { sources.map(\.text).joined() + pipelines.map(\.text).joined() }

  /// For programs.
  package var value: PlanValue {
    .object([
      ("sources", .list(sources.map(\.value))), ("pipelines", .list(pipelines.map(\.value))),
    ])
  }
}
