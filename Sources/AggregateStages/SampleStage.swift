internal import AggregateCore

/// Keeps a random choice of rows.
struct SampleStage: Stage {
  static let spec = StageSpec(
    "sample", "Keep a random choice of rows, in the order they came.",
    options: [
      OptionSpec("n", .int(0...Int.max), required: true, "How many rows.", example: "100"),
      OptionSpec(
        "seed", .int(Int.min...Int.max), default: "0",
        "The start of the random numbers: the same seed and input give the same rows.",
        example: "1"),
    ],
    shorthand: .value("n"), positionals: ["n"],
    discussion: "Every row has the same chance; when there are fewer rows, all of them stay.",
    example: "sample: { n: 100, seed: 1 }")

  private let count: Int
  private let seed: Int

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    count = options.int("n") ?? 0
    seed = options.int("seed") ?? 0
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [count, seed] in
      SampleTransform(count, seed: UInt64(bitPattern: Int64(seed)), schema)
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream
  }
}

/// Keeps the rows with the least random numbers: one number per row, so that batches do not matter.
private final class SampleTransform: StreamTransform {
  private let count: Int
  private let schema: Schema
  private var random: SplitMix
  private var store: RowStore
  private var chosen: [(number: UInt64, locator: RowStore.Locator)] = []
  private var limit = UInt64.max

  init(_ count: Int, seed: UInt64, _ schema: Schema) {
    self.count = count
    self.schema = schema
    random = SplitMix(state: seed)
    store = RowStore(columnCount: schema.columns.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if count == 0 { return .enough }
    var rows: [Int32] = []
    var numbers: [UInt64] = []
    for row in 0..<batch.rowCount {
      let number = random.next()
      if number > limit { continue }
      rows.append(Int32(row))
      numbers.append(number)
    }
    for (number, locator) in zip(numbers, store.append(batch.gathered(rows))) {
      chosen.append((number, locator))
    }
    if chosen.count >= 2 * count + Batch.defaultRowCount { prune() }
    return .more
  }

  private func prune() {
    guard chosen.count > count else { return }
    chosen.sort { ($0.number, $0.locator) < ($1.number, $1.locator) }
    chosen.removeSubrange(count...)
    limit = chosen.last?.number ?? .max
    chosen.sort { $0.locator < $1.locator }
    let fresh = RowStore(columnCount: schema.columns.count)
    for start in stride(from: 0, to: chosen.count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, chosen.count)
      let locators = chosen[range].map(\.locator)
      for (index, locator) in zip(range, fresh.append(store.batch(locators[...], schema: schema))) {
        chosen[index].locator = locator
      }
    }
    store = fresh
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    prune()
    _ = try store.emit(chosen.map(\.locator).sorted(), schema: schema, emit)
  }
}

/// The random numbers of SplitMix64: the same for the same start, on every machine.
private struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
