import AggregateConfig
import AggregateCore

/// What becomes of sources that are merged: by a pipeline, or because several are named.
struct PipelinePlan {
  let name: String
  /// The sources, in the order of their rows.
  let sources: [String]
  /// What happens when a source fails that does not say it itself; nil when it is not said.
  let onError: ErrorPolicy?
  /// Where the rows go; nil when the pipeline does not say.
  let output: String?
  let stages: PlannedStages

  init(
    _ name: String, _ rows: RowSource, of sources: [String], _ pipeline: PipelineDeclaration?,
    _ session: RunSession
  ) throws {
    self.name = name
    self.sources = sources
    onError = pipeline?.onError
    output = pipeline?.output?.text("path").map(PlanText.withoutUser)
    stages = try PlannedStages(rows, session, needsAll: true)
  }

  /// For people.
  var text: String {
    var lines = ["pipeline \(name): merges \(sources.joined(separator: ", "))"]
    if let onError { lines.append("  on_error: \(onError.rawValue), where a source does not say") }
    if let output { lines.append("  output: \(output)") }
    return (lines + stages.lines.map { "  \($0)" }).joined(separator: "\n") + "\n"
  }

  /// For programs; every key is always there.
  var value: PlanValue {
    .object(
      [
        ("pipeline", .text(name)), ("sources", PlanValue(sources)),
        ("on_error", PlanValue(onError?.rawValue)), ("output", PlanValue(output)),
      ] + stages.members.filter { $0.0 != "columns_needed" })
  }
}
