import AggregateConfig
import AggregateCore

/// The plan of a run: its sources, and how they are merged.
struct RunPlan {
  private(set) var sources: [SourcePlan] = []
  private(set) var pipelines: [PipelinePlan] = []

  /// Plans a run of `names`.
  ///
  /// - Parameter isOneRun: Whether several names are merged, as a run does; else each is for itself.
  /// - Throws: ``DiagnosticsError`` or ``AggregateError`` for what a run would refuse.
  init(
    _ names: [String], _ targets: [RunCommand.Target], _ configuration: Configuration,
    _ session: RunSession, isOneRun: Bool
  ) throws {
    let more = try RunExecution.stages(session.options, session.program)
    let quotas = try QuotaCommand.rows(configuration)
    var rows: [RowSource] = []
    for (name, target) in zip(names, targets) {
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
        ? members[0] : RowSource.merged(name, members, runner: session.runner)
      rows.append(merged.appending(behind))
      guard target.pipeline != nil else { continue }
      pipelines.append(
        try PipelinePlan(
          name, merged.appending(behind), of: target.sources, target.pipeline, session))
    }
    if isOneRun, rows.count > 1 {
      let name = names.joined(separator: "+")
      let merged = try RowSource.merged(name, rows, runner: session.runner).appending(more)
      pipelines.append(try PipelinePlan(name, merged, of: names, nil, session))
    }
  }

  private static func stages(
    of target: RunCommand.Target, _ session: RunSession
  ) throws -> [any Stage] {
    var diagnostics = Diagnostics()
    let stages = target.pipeline?.stages.compactMap {
      session.program.stages.make($0, &diagnostics)
    }
    try diagnostics.throwIfErrors()
    return stages ?? []
  }

  /// For people.
  var text: String { sources.map(\.text).joined() + pipelines.map(\.text).joined() }

  /// For programs.
  var value: PlanValue {
    .object([
      ("sources", .list(sources.map(\.value))), ("pipelines", .list(pipelines.map(\.value))),
    ])
  }
}
