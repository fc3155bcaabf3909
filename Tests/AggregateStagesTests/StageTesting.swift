import AggregateCore
import AggregateTestSupport

@testable import AggregateStages

/// A context with `maxMemory`, whose log keeps quiet.
func context(maxMemory: Int = 1 << 28, log: RunLog = .silent) -> StageContext {
  StageContext(log: log, maxMemory: maxMemory, temporaryDirectory: "/tmp") { _, _ in NoOutput() }
}

/// The stage that one line of YAML declares.
func stage(_ yaml: String) throws -> any Stage {
  var diagnostics = Diagnostics()
  let stage = Stages.registry.make(FlowNode.parse(yaml), &diagnostics)
  try diagnostics.throwIfErrors()
  guard let stage else { throw StageMistake("no stage and no diagnostics") }
  return stage
}

/// The rows that the stage of `yaml` makes of `main`, after the laws were checked on it, with rows on
/// disk and without.
func rows(
  _ yaml: String, _ main: Batch, sides: [Batch] = [], _ context: StageContext = context()
) throws -> [String] {
  let stage = try stage(yaml)
  try checkStage(stage, main, sides: sides, context)
  try checkStage(
    stage, main, sides: sides,
    AggregateStagesTests.context(maxMemory: 1, log: context.log.isStrict ? context.log : .silent))
  guard try shown(stage, main, sides, 1) == shown(stage, main, sides, 1 << 28) else {
    throw StageMistake("with little memory, \(yaml) gives other rows")
  }
  let bound = try stage.bind(main.schema, sides: sides.map(\.schema), context)
  let batches = try StageRunner.run(bound, main, sides: sides, sideInputs: stage.sideInputs)
  let output = stage.findsSchema ? batches.first?.schema ?? bound.output : bound.output
  return [output.names.joined(separator: " | ")] + TestRows.shown(batches)
}

/// The first diagnostic that declaring and binding the stage of `yaml` gives; nil when there is none.
func mistake(_ yaml: String, _ schema: Schema, sides: [Schema] = []) -> Diagnostic? {
  do {
    _ = try stage(yaml).bind(schema, sides: sides, context())
    return nil
  } catch let error as DiagnosticsError {
    return error.diagnostics.first
  } catch {
    return Diagnostic(.error, "other", "\(error)", at: nil)
  }
}

private final class NoOutput: StageOutput {
  func write(_ batch: Batch) {}
  func finish() {}
}

/// The rows that `stage` makes of `main` when it may keep `maxMemory` bytes, in batches of 100.
func shown(
  _ stage: any Stage, _ main: Batch, _ sides: [Batch], _ maxMemory: Int
) throws -> [String] {
  let bound = try stage.bind(
    main.schema, sides: sides.map(\.schema), context(maxMemory: maxMemory))
  return TestRows.shown(
    try StageRunner.run(bound, main, sides: sides, sideInputs: stage.sideInputs, size: 100))
}

/// A table for stages that choose rows.
let cities = TestRows.batch(
  ["city", "temp"],
  [["Oslo", 3], ["Rome", 15], ["Oslo", 5], ["Rome", 25], ["Lima", 20]])

/// The values of one column of what a stage gives.
func column(_ index: Int, _ yaml: String, _ table: Batch, sides: [Batch] = []) throws -> [String] {
  try rows(yaml, table, sides: sides).dropFirst().map {
    String($0.split(separator: "|")[index].filter { $0 != " " })
  }
}
