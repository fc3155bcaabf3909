import AggregateCore

/// The columns of a source, and what comes out of its stages.
struct PlannedStages {
  /// The columns before the stages; nil when only the data can tell.
  let input: Schema?
  /// The stages, with the columns after each.
  let stages: [(name: String, output: Schema?)]
  /// The columns that the stages need; nil for all of them, or when only the data can tell.
  let needed: [String]?
  /// After how many rows nothing more is asked; nil for no bound.
  let rowLimit: Int?

  /// - Parameter needsAll: Whether something else than the stages needs every column.
  /// - Throws: ``DiagnosticsError`` when a stage does not fit.
  init(_ source: RowSource, _ session: RunSession, needsAll: Bool) throws {
    let plan = try session.runner.plan(of: source)
    input = plan.input
    stages = zip(source.stages, plan.outputs).map { (type(of: $0).spec.name, $1) }
    if !needsAll, case .paths(let paths)? = plan.demand {
      needed = paths.map(\.description)
    } else {
      needed = nil
    }
    rowLimit = source.stages.compactMap(\.rowLimit).min()
  }

  /// The columns of what comes out; nil when only the data can tell.
  var output: Schema? { stages.isEmpty ? input : stages.last?.output }

  /// For people.
  var lines: [String] {
    var lines: [String] = []
    if let rowLimit {
      lines.append(
        "row limit: \(rowLimit), paging stops once they are there")
    }
    lines.append("columns: \(PlanText.columns(input))")
    if let needed { lines.append("columns needed: \(needed.joined(separator: ", "))") }
    if input == nil, stages.isEmpty { return lines }
    return lines + stages.map { "\($0.name): \(PlanText.columns($0.output))" }
  }

  /// The members `columns`, `columns_needed`, `row_limit`, `stages`.
  var members: [(String, PlanValue)] {
    [
      ("columns", PlanValue(input)),
      ("columns_needed", needed.map { PlanValue($0) } ?? .null),
      ("row_limit", PlanValue(rowLimit)),
      (
        "stages",
        .list(
          stages.map {
            .object([("stage", .text($0.name)), ("columns", PlanValue($0.output))])
          })
      ),
    ]
  }
}
