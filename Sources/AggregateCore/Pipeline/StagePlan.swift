/// What is known of a source and its stages before anything is read.
public struct StagePlan: Sendable {
  /// The columns before the stages; nil when only the data can tell.
  public let input: Schema?
  /// The columns after each stage; nil where only the data can tell.
  public let outputs: [Schema?]
  /// What the source is asked for; nil when only the data can tell.
  public let demand: ColumnDemand?
}

extension PipelineRunner {
  /// Binds the stages of `source` as far as their columns are known, without reading anything.
  ///
  /// - Throws: ``DiagnosticsError`` when a stage does not fit.
  public func plan(of source: RowSource) throws -> StagePlan {
    let unknown = [Schema?](repeating: nil, count: source.stages.count)
    guard let input = source.schema else {
      // The sides are looked at even so: a misspelt source is a mistake whatever the schema is.
      for stage in source.stages {
        for side in stage.sideInputs { _ = try check(resolve(side)) }
      }
      return StagePlan(input: nil, outputs: unknown, demand: nil)
    }
    var bound: [(stage: any Stage, input: Schema)] = []
    var outputs: [Schema?] = []
    var schema = input
    var hasAllSides = true
    for stage in source.stages {
      let sides = try stage.sideInputs.map { try check(resolve($0)) }
      hasAllSides = sides.allSatisfy { $0 != nil }
      if !hasAllSides { break }
      bound.append((stage, schema))
      schema = try stage.bind(schema, sides: sides.compactMap { $0 }, context).output
      if stage.findsSchema { break }
      outputs.append(schema)
    }
    var demand = ColumnDemand.all
    for (stage, input) in bound.reversed() { demand = try stage.demand(demand, input: input) }
    outputs += unknown.dropFirst(outputs.count)
    return StagePlan(input: input, outputs: outputs, demand: hasAllSides ? demand : nil)
  }
}
