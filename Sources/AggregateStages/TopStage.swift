internal import AggregateCore

/// Keeps the first rows in an order, for each group.
struct TopStage: Stage {
  static let spec = StageSpec(
    "top", "Keep the first rows in an order, of all rows or of each group.",
    options: [
      OptionSpec("n", .int(0...Int.max), default: "10", "How many rows.", example: "3"),
      OptionSpec(
        "by", .list(of: .text, orSingle: true), required: true,
        "What to order by; a leading - puts larger values first.", example: "-temp"),
      OptionSpec(
        "per", .list(of: .text, orSingle: true), "Columns whose values make a group.",
        example: "[city]"),
    ],
    shorthand: .none, positionals: ["n"],
    discussion: """
      The rows come in the order of `by`; with `per`, group after group in the order in which the \
      groups first appear. Nulls are last.
      """,
    example: "top: { n: 3, by: -temp, per: [city] }")

  private let count: Int
  private let keys: [SortKey]
  private let per: [LocatedText]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    count = options.int("n") ?? 10
    keys = SortKey.keys(options, "by")
    per = NameList.names(options, "per")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let keys = try self.keys.map { try $0.resolve(in: schema) }
    let per = try schema.resolve(self.per)
    return .stream(output: schema) { [count] in
      TopTransform(
        count, schema, keys.map(\.reference), KeyEncoder(descending: keys.map(\.descending)), per)
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let keys = try self.keys.map { try $0.resolve(in: schema).reference }
    return downstream.passing(
      output: schema, needing: keys + (try schema.resolve(per)), of: schema)
  }
}

private final class TopTransform: StreamTransform {
  private struct Candidate {
    var key: [UInt8]
    var locator: RowStore.Locator
  }

  private let count: Int
  private let schema: Schema
  private let by: [ColumnReference]
  private let encoder: KeyEncoder
  private let per: [ColumnReference]
  private let table = KeyTable()
  private var store: RowStore
  /// For each group, its best rows so far, in order.
  private var best: [[Candidate]] = []

  init(
    _ count: Int, _ schema: Schema, _ by: [ColumnReference], _ encoder: KeyEncoder,
    _ per: [ColumnReference]
  ) {
    self.count = count
    self.schema = schema
    self.by = by
    self.encoder = encoder
    self.per = per
    store = RowStore(columnCount: schema.columns.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if count == 0 { return .enough }
    let keys = encoder.encode(try batch.values(of: by), rowCount: batch.rowCount)
    let groups = table.assign(
      KeyEncoder(ascending: per.count).encode(
        try batch.values(of: per), rowCount: batch.rowCount)
    ).groups
    best += Array(repeating: [], count: table.count - best.count)
    var rows: [Int32] = []
    for row in 0..<batch.rowCount where mayEnter(keys, row, Int(groups[row])) {
      rows.append(Int32(row))
    }
    let locators = store.append(batch.gathered(rows))
    for (row, locator) in zip(rows, locators) {
      enter(keys.withKey(Int(row)) { Array($0) }, locator, Int(groups[Int(row)]))
    }
    compact()
    return .more
  }

  private func mayEnter(_ keys: EncodedKeys, _ row: Int, _ group: Int) -> Bool {
    guard best[group].count >= count, let worst = best[group].last else { return true }
    return keys.withKey(row) { key in
      worst.key.withUnsafeBytes { KeyOrder.precedes(key, $0) }
    }
  }

  private func enter(_ key: [UInt8], _ locator: RowStore.Locator, _ group: Int) {
    var low = 0
    var high = best[group].count
    while low < high {
      let middle = (low + high) / 2
      let isBehind = key.withUnsafeBytes { key in
        best[group][middle].key.withUnsafeBytes { !KeyOrder.precedes(key, $0) }
      }
      if isBehind { low = middle + 1 } else { high = middle }
    }
    if low >= count { return }
    best[group].insert(Candidate(key: key, locator: locator), at: low)
    if best[group].count > count { best[group].removeLast() }
  }

  /// Moves the rows that are still among the best to a new store when most of the store is not.
  private func compact() {
    if store.byteCount < 1 << 24 { return }
    let locators = best.flatMap { $0.map(\.locator) }
    let live = locators.reduce(0) { $0 + store.packed($1).count }
    if live * 2 > store.byteCount { return }
    let fresh = RowStore(columnCount: schema.columns.count)
    var moved: [RowStore.Locator] = []
    for start in stride(from: 0, to: locators.count, by: Batch.defaultRowCount) {
      let end = min(start + Batch.defaultRowCount, locators.count)
      moved += fresh.append(store.batch(locators[start..<end], schema: schema))
    }
    var next = 0
    for group in best.indices {
      for index in best[group].indices {
        best[group][index].locator = moved[next]
        next += 1
      }
    }
    store = fresh
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    _ = try store.emit(best.flatMap { $0.map(\.locator) }, schema: schema, emit)
  }
}
