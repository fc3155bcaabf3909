internal import AggregateCore

/// Keeps the last rows.
struct TailStage: Stage {
  static let spec = StageSpec(
    "tail", "Keep the last rows.",
    options: [
      OptionSpec("n", .int(0...Int.max), default: "10", "How many rows.", example: "5")
    ],
    shorthand: .value("n"), positionals: ["n"],
    example: "tail: 10")

  private let count: Int

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    count = options.int("n") ?? 10
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [count] in TailTransform(count) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream
  }
}

private final class TailTransform: StreamTransform {
  private let count: Int
  private var kept: [Batch] = []
  private var rows = 0

  init(_ count: Int) { self.count = count }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if count == 0 { return .enough }
    kept.append(batch.compacted())
    rows += batch.rowCount
    while let first = kept.first, rows - first.rowCount >= count {
      rows -= first.rowCount
      kept.removeFirst()
    }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    var surplus = max(0, rows - count)
    for batch in kept {
      let rest = batch.sliced(min(surplus, batch.rowCount)..<batch.rowCount)
      surplus -= batch.rowCount - rest.rowCount
      if rest.rowCount > 0, try emit(rest) == .enough { return }
    }
  }
}
