internal import AggregateCore

/// Keeps the first rows and stops everything upstream.
struct HeadStage: Stage {
  static let spec = StageSpec(
    "head", "Keep the first rows; what is upstream stops, requests included.",
    options: [
      OptionSpec("n", .int(0...Int.max), default: "10", "How many rows.", example: "5")
    ],
    shorthand: .value("n"), positionals: ["n"],
    example: "head: 10")

  private let count: Int

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    count = options.int("n") ?? 10
  }

  var rowLimit: Int? { count }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [count] in HeadTransform(count) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream
  }
}

private final class HeadTransform: StreamTransform {
  private var left: Int

  init(_ count: Int) { left = count }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let taken = min(left, batch.rowCount)
    left -= taken
    if taken > 0, try emit(batch.sliced(0..<taken)) == .enough { return .enough }
    return left == 0 ? .enough : .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {}
}
