public import AggregateCore

/// Runs a bound stage as a pipeline would, on one thread.
public enum StageRunner {
  /// What `bound` makes of `main` and `sides`, given in parts of `size` rows.
  ///
  /// - Parameters:
  ///   - sideInputs: The side inputs, which say when their rows come.
  ///   - limit: After how many rows the downstream says that it has enough.
  public static func run(
    _ bound: BoundStage, _ main: Batch, sides: [Batch] = [], sideInputs: [SideInput] = [],
    size: Int = 1024, limit: Int = .max
  ) throws -> [Batch] {
    var output: [Batch] = []
    var rows = 0
    func emit(_ batch: Batch) throws -> Demand {
      if rows >= limit { throw StageMistake("rows were emitted after “enough”") }
      rows += batch.rowCount
      output.append(batch)
      return rows >= limit ? .enough : .more
    }
    switch bound {
    case .rows(let transform):
      for part in TestRows.parts(main, of: size) {
        let batch = try transform.apply(part)
        if try batch.rowCount > 0 && emit(batch) == .enough { return output }
      }
    case .stream(_, let make):
      let transform = try make()
      func feed(_ batch: Batch, _ input: Int) throws {
        var demand = Demand.more
        for part in TestRows.parts(batch, of: size) where demand == .more {
          demand = try transform.process(part, input: input, emit: emit)
        }
        if rows < limit { try transform.finish(input: input, emit: emit) }
      }
      let numbered = zip(zip(sideInputs, sides), 1...)
      for ((side, batch), input) in numbered where side.order == .beforeMain {
        try feed(batch, input)
      }
      try feed(main, 0)
      for ((side, batch), input) in numbered where side.order == .afterMain && rows < limit {
        try feed(batch, input)
      }
    }
    return output
  }
}

/// What a stage does that no stage may do.
public struct StageMistake: Error, CustomStringConvertible {
  /// What it did.
  public let description: String

  /// Creates a mistake.
  public init(_ description: String) { self.description = description }
}

/// Checks the laws that every stage obeys on one input.
///
/// The batch size does not matter; every batch has the bound schema; empty input gives no error; what the
/// stage demands of its input is enough; nothing is emitted after “enough”.
///
/// - Throws: ``StageMistake`` for a law that does not hold, and what the stage throws.
public func checkStage(
  _ stage: any Stage, _ main: Batch, sides: [Batch] = [], _ context: StageContext
) throws {
  let sideSchemas = sides.map(\.schema)
  func bind(_ schema: Schema) throws -> BoundStage {
    try stage.bind(schema, sides: sideSchemas, context)
  }
  func run(_ main: Batch, size: Int = 1024, limit: Int = .max) throws -> [Batch] {
    try StageRunner.run(
      try bind(main.schema), main, sides: sides, sideInputs: stage.sideInputs, size: size,
      limit: limit)
  }
  let name = type(of: stage).spec.name
  let expected = try run(main)
  var output = try bind(main.schema).output
  if stage.findsSchema {
    guard let first = expected.first else {
      throw StageMistake("\(name): no batch tells the schema that it found")
    }
    output = first.schema
    guard try !run(main.sliced(0..<0)).isEmpty else {
      throw StageMistake("\(name): empty input does not tell the schema")
    }
  }
  for size in [1, 2, 3, 7, 1024] {
    let batches = try run(main, size: size)
    guard TestRows.shown(batches) == TestRows.shown(expected) else {
      throw StageMistake("\(name): batches of \(size) give other rows than one batch")
    }
    for batch in batches {
      guard batch.schema == output else {
        throw StageMistake("\(name): a batch has (\(batch.schema)), not (\(output))")
      }
      guard batch.rowCount <= Batch.defaultRowCount else {
        throw StageMistake("\(name): a batch has \(batch.rowCount) rows")
      }
    }
  }
  _ = try run(main.sliced(0..<0))
  let total = expected.reduce(0) { $0 + $1.rowCount }
  for limit in [1, 2] where limit < total { _ = try run(main, size: 1, limit: limit) }
  try checkDemand(stage, main, sides: sides, output, context)
}

private func checkDemand(
  _ stage: any Stage, _ main: Batch, sides: [Batch], _ output: Schema, _ context: StageContext
) throws {
  var downstreams: [ColumnDemand] = [.all]
  for index in output.columns.indices {
    downstreams.append(.of([ColumnReference(index: index)], in: output))
  }
  for downstream in downstreams {
    guard case .paths(let paths) = try stage.demand(downstream, input: main.schema) else {
      continue
    }
    let indexes = main.schema.columns.indices.filter { index in
      let own = main.schema.columns[index].path?.elements ?? [main.schema.columns[index].name]
      return paths.contains { $0.elements.starts(with: own) }
    }
    let projected = Batch(
      schema: Schema(indexes.map { main.schema.columns[$0] }),
      columns: indexes.map { main.columns[$0] }, rowCount: main.rowCount)
    let sideSchemas = sides.map(\.schema)
    func wanted(_ main: Batch) throws -> [String] {
      let bound = try stage.bind(main.schema, sides: sideSchemas, context)
      let batches = try StageRunner.run(bound, main, sides: sides, sideInputs: stage.sideInputs)
      guard case .paths(let columns) = downstream else { return TestRows.shown(batches) }
      return try TestRows.shown(
        batches.map { batch in
          let kept = try columns.map { path in
            guard
              let index = batch.schema.columns.firstIndex(where: {
                ($0.path?.elements ?? [$0.name]) == path.elements
              })
            else { throw StageMistake("the column \(path) is gone") }
            return batch.columns[index]
          }
          return Batch(
            schema: Schema(columns.enumerated().map { ColumnSpec("\($0.offset)") }),
            columns: kept, rowCount: batch.rowCount)
        })
    }
    guard try wanted(projected) == wanted(main) else {
      throw StageMistake(
        "\(type(of: stage).spec.name): with only what it demands it gives other rows")
    }
  }
}
