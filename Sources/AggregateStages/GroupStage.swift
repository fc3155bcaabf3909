internal import AggregateCore
internal import AggregateExpressions

/// Makes one row of each group.
struct GroupStage: Stage {
  static let spec = StageSpec(
    "group", "Make one row of the rows with equal values in some columns, computing aggregates.",
    options: [
      OptionSpec(
        "by", .list(of: .text, orSingle: true),
        "Columns whose values make a group; without them, all rows are one group.",
        example: "[city]"),
      OptionSpec(
        "set", .map(of: AggregateOption.shape, keys: "column"),
        "For each new column, the aggregate that computes it.",
        example: "{ n: count(), hottest: max(temp) }"),
    ],
    shorthand: .none,
    discussion: """
      Aggregates leave nulls out; count() counts rows. Null is a group of its own. Groups come in the \
      order in which they first appear, and their columns in the order of by and then of set. When the \
      groups take more than --max-memory, the rows of further groups wait on disk.
      """,
    example:
      "group: { by: [city], set: { n: count(), mean_temp: mean(temp), worst: max(wind_speed) } }"
  )

  private let by: [LocatedText]
  private let aggregates: [(name: String, aggregate: Aggregate)]
  private let location: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    by = NameList.names(options, "by")
    location = options.location("set")
    var aggregates: [(name: String, aggregate: Aggregate)] = []
    for entry in options.entries("set") ?? [] {
      if let aggregate = AggregateOption.parse(entry.value, &diagnostics) {
        aggregates.append((entry.key, aggregate))
      }
    }
    self.aggregates = aggregates
    if by.isEmpty && aggregates.isEmpty {
      diagnostics.error(
        "missing-key", "“group” has neither “by” nor “set”", at: options.node.location,
        hint: "write by: [city], set: { n: count() }")
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let (keys, bound) = try resolved(schema)
    let keyColumns = keys.map { schema.columns[$0.index].picked($0, as: nil) }
    let output = try schema.replacing(
      keyColumns + zip(aggregates, bound).map { ColumnSpec($0.name, $1.type) }, at: location)
    let plan = GroupPlan(
      input: schema, output: output, keys: keys, names: aggregates.map(\.name), aggregates: bound,
      context: context)
    return .stream(output: output) { GroupTransform(plan) }
  }

  private func resolved(_ schema: Schema) throws -> ([ColumnReference], [BoundAggregate]) {
    var mistakes: [Diagnostic] = []
    var keys: [ColumnReference] = []
    var bound: [BoundAggregate] = []
    do { keys = try schema.resolve(by) } catch let error as DiagnosticsError {
      mistakes += error.diagnostics
    }
    for (_, aggregate) in aggregates {
      do { bound.append(try aggregate.bind(schema)) } catch let error as DiagnosticsError {
        mistakes += error.diagnostics
      }
    }
    if !mistakes.isEmpty { throw DiagnosticsError(mistakes) }
    return (keys, bound)
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let (keys, bound) = try resolved(schema)
    return ColumnDemand.of(keys + bound.flatMap(\.references), in: schema)
  }
}

/// What a group needs to know.
private struct GroupPlan: Sendable {
  let input: Schema
  let output: Schema
  let keys: [ColumnReference]
  let names: [String]
  let aggregates: [BoundAggregate]
  let context: StageContext

  func keyColumns(_ batch: Batch) throws -> (columns: [Column], encoded: EncodedKeys) {
    let columns = try batch.values(of: keys)
    return (columns, KeyEncoder(ascending: keys.count).encode(columns, rowCount: batch.rowCount))
  }
}

/// Gathers groups as long as they fit in memory; the rows of further groups wait on disk for the end.
///
/// The groups in memory appeared before all others, so they come first.
private final class GroupTransform: StreamTransform {
  private let plan: GroupPlan
  private let memory: MemoryShare
  private var groups: GroupTable
  private var later: RowPartitions?
  private var seen: Int64 = 0

  init(_ plan: GroupPlan) {
    self.plan = plan
    memory = plan.context.memory.share()
    groups = GroupTable(plan)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if batch.rowCount == 0 { return .more }
    guard let later else {
      try groups.add(batch)
      if groups.byteCount > memory.limit, !plan.keys.isEmpty {
        later = try RowPartitions(plan.input, plan.context)
      }
      return .more
    }
    let keys = try plan.keyColumns(batch).encoded
    let found = groups.find(keys)
    let known = found.indices.filter { found[$0] >= 0 }
    if !known.isEmpty {
      try groups.update(
        batch.gathered(known.map { Int32($0) }), known.map { found[$0] })
    }
    if known.count < batch.rowCount {
      let rows = found.indices.filter { found[$0] < 0 }.map { Int32($0) }
      try later.append(batch, numbers: batch.numbers(from: seen), keys: keys, rows: rows)
    }
    seen += Int64(batch.rowCount)
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    if try groups.emit({ batch, _ in try emit(batch) }) == .enough { return }
    guard let later else { return }
    groups = GroupTable(plan)
    let output = NumberedRows(plan.output, plan.context)
    for part in 0..<RowPartitions.count {
      let groups = GroupTable(plan)
      try later.forEach(part) { try groups.add($0, numbers: $1) }
      if groups.isEmpty { continue }
      _ = try groups.emit { batch, numbers in
        try output.append(batch, numbers: numbers)
        return .more
      }
    }
    _ = try output.emit(emit)
  }
}

/// The groups in memory, with what their aggregates have gathered.
private final class GroupTable {
  private let plan: GroupPlan
  private let table = KeyTable()
  private let keySchema: Schema
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  /// The numbers of the rows in which the groups first appeared, when rows have numbers.
  private var firsts: [Int64] = []
  private let aggregates: [ColumnAggregate]

  init(_ plan: GroupPlan) {
    self.plan = plan
    aggregates = zip(plan.names, plan.aggregates).map {
      ColumnAggregate($1, into: $0, plan.context.log)
    }
    keySchema = Schema(Array(plan.output.columns.prefix(plan.keys.count)))
    store = RowStore(columnCount: plan.keys.count)
  }

  var isEmpty: Bool { table.count == 0 }

  /// What the groups take; an aggregate counts as what the usual ones have for a group.
  var byteCount: Int {
    table.byteCount + store.byteCount + (16 + 32 * aggregates.count) * table.count
  }

  func find(_ keys: EncodedKeys) -> [Int32] { table.find(keys) }

  func add(_ batch: Batch, numbers: [Int64] = []) throws {
    if plan.keys.isEmpty {
      return try update(batch, Array(repeating: Int32(0), count: batch.rowCount))
    }
    let (columns, keys) = try plan.keyColumns(batch)
    let (groups, newRows) = table.assign(keys)
    if !newRows.isEmpty {
      let rows = Batch(schema: keySchema, columns: columns, rowCount: batch.rowCount)
      locators += store.append(rows.gathered(newRows))
      if !numbers.isEmpty { firsts += newRows.map { numbers[Int($0)] } }
    }
    try update(batch, groups)
  }

  func update(_ batch: Batch, _ groups: [Int32]) throws {
    let count = plan.keys.isEmpty ? 1 : table.count
    for aggregate in aggregates {
      try aggregate.update(batch, groups: groups, groupCount: count)
    }
  }

  /// Emits the groups in the order in which they appeared, with the numbers of their first rows.
  func emit(_ emit: (Batch, _ numbers: [Int64]) throws -> Demand) throws -> Demand {
    let count = plan.keys.isEmpty ? 1 : table.count
    if count == 0 { return .more }
    let computed = try aggregates.map { try $0.finish(groupCount: count) }
    for start in stride(from: 0, to: count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, count)
      let columns = plan.keys.isEmpty ? [] : store.batch(locators[range], schema: keySchema).columns
      let batch = Batch(
        schema: plan.output, columns: columns + computed.map { $0.sliced(range) },
        rowCount: range.count)
      if try emit(batch, firsts.isEmpty ? [] : Array(firsts[range])) == .enough { return .enough }
    }
    return .more
  }
}
