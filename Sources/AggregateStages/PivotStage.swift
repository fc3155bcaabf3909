internal import AggregateCore
internal import AggregateExpressions

/// Makes a column of each value of a column.
struct PivotStage: Stage {
  static let spec = StageSpec(
    "pivot", "Make a column of each value of a column, with an aggregate of the rows that have it.",
    options: [
      OptionSpec(
        "rows", .list(of: .text, orSingle: true), required: true,
        "Columns whose values make a row.", example: "[city]"),
      OptionSpec(
        "columns", .text, required: true, "The column whose values become columns.",
        example: "month"),
      OptionSpec(
        "values", AggregateOption.shape, required: true, "The aggregate in each place.",
        example: "mean(temp)"),
    ],
    shorthand: .none,
    discussion: """
      Rows and columns come in the order in which they first appear. A place without rows is null. When \
      the result takes more than --max-memory, what makes further rows waits on disk.
      """,
    example: "pivot: { rows: [city], columns: month, values: mean(temp) }")

  private let rows: [LocatedText]
  private let column: LocatedText
  private let aggregate: Aggregate?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    rows = NameList.names(options, "rows")
    column = LocatedText(options.text("columns") ?? "", at: options.location("columns"))
    aggregate = options.node("values").flatMap { AggregateOption.parse($0, &diagnostics) }
  }

  var findsSchema: Bool { true }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let rows = try schema.resolve(self.rows)
    let column = try schema.resolve(self.column)
    guard let bound = try aggregate?.bind(schema) else {
      throw AggregateError(.internal, "pivot was bound without its aggregate")
    }
    let keys = rows.map { schema.columns[$0.index].picked($0, as: nil) }
    let keySchema = try schema.replacing(keys, at: self.rows.first?.location)
    let plan = PivotPlan(
      input: schema, keySchema: keySchema, rows: rows, column: column, aggregate: bound,
      name: self.column.text, context: context)
    return .stream(output: keySchema) { PivotTransform(plan) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let references = try schema.resolve(rows) + [try schema.resolve(column)]
    return ColumnDemand.of(
      references + (try aggregate?.bind(schema).references ?? []), in: schema)
  }
}

/// What a pivot needs to know.
private struct PivotPlan: Sendable {
  let input: Schema
  let keySchema: Schema
  let rows: [ColumnReference]
  let column: ColumnReference
  let aggregate: BoundAggregate
  let name: String
  let context: StageContext

  func rowKeys(_ batch: Batch) throws -> (columns: [Column], encoded: EncodedKeys) {
    let columns = try batch.values(of: rows)
    return (columns, KeyEncoder(ascending: rows.count).encode(columns, rowCount: batch.rowCount))
  }
}

/// Gathers rows as long as they fit in memory; what makes further rows waits on disk for the end.
///
/// The rows in memory appeared before all others, so they come first. Columns are found as they come.
private final class PivotTransform: StreamTransform {
  private let plan: PivotPlan
  private let memory: MemoryShare
  private let headings = Headings()
  private var table: PivotTable
  private var later: RowPartitions?
  private var seen: Int64 = 0

  init(_ plan: PivotPlan) {
    self.plan = plan
    memory = plan.context.memory.share()
    table = PivotTable(plan)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let columns = headings.assign(try batch.values(of: plan.column))
    let keys = try plan.rowKeys(batch)
    guard let later else {
      try table.add(batch, keys.columns, keys.encoded, columns)
      if table.byteCount > memory.limit {
        later = try RowPartitions(plan.input, plan.context)
      }
      return .more
    }
    let found = table.find(keys.encoded)
    let known = found.indices.filter { found[$0] >= 0 }
    if !known.isEmpty {
      try table.update(
        batch.gathered(known.map { Int32($0) }), rows: known.map { found[$0] },
        columns: known.map { columns[$0] })
    }
    if known.count < batch.rowCount {
      let rows = found.indices.filter { found[$0] < 0 }.map { Int32($0) }
      try later.append(batch, numbers: batch.numbers(from: seen), keys: keys.encoded, rows: rows)
    }
    seen += Int64(batch.rowCount)
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    let schema = Schema(
      plan.keySchema.columns
        + headings.names(besides: plan.keySchema.names).map { ColumnSpec($0, plan.aggregate.type) })
    if table.isEmpty {
      _ = try emit(.empty(schema))
      return
    }
    let width = headings.count
    if try table.emit(schema, width, { batch, _ in try emit(batch) }) == .enough { return }
    guard let later else { return }
    table = PivotTable(plan)
    let output = NumberedRows(schema, plan.context)
    for part in 0..<RowPartitions.count {
      let table = PivotTable(plan)
      try later.forEach(part) { batch, numbers in
        let columns = headings.assign(try batch.values(of: plan.column))
        let keys = try plan.rowKeys(batch)
        try table.add(batch, keys.columns, keys.encoded, columns, numbers: numbers)
      }
      if table.isEmpty { continue }
      _ = try table.emit(schema, width) { batch, numbers in
        try output.append(batch, numbers: numbers)
        return .more
      }
    }
    _ = try output.emit(emit)
  }
}

/// The values that become columns, in the order in which they first appear.
private final class Headings {
  private let table = KeyTable()
  private var texts: [String] = []

  var count: Int { texts.count }

  /// The number of the column that each row belongs to.
  func assign(_ values: Column) -> [Int32] {
    let (numbers, newRows) = table.assign(
      KeyEncoder(ascending: 1).encode([values], rowCount: values.count))
    for row in newRows {
      let value = values.value(at: Int(row))
      texts.append(value.isNull ? "null" : value.displayText)
    }
    return numbers
  }

  /// The names of the columns; those that are taken have a number behind them.
  func names(besides taken: [String]) -> [String] {
    var used = Set(taken)
    return texts.map { name in
      var unique = name
      var number = 2
      while !used.insert(unique).inserted {
        unique = "\(name)_\(number)"
        number += 1
      }
      return unique
    }
  }
}

/// The rows in memory, with what the aggregate has gathered for their places.
private final class PivotTable {
  private let plan: PivotPlan
  private let aggregate: ColumnAggregate
  private let table = KeyTable()
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  private var firsts: [Int64] = []
  /// The group of each pair of row and column that was seen.
  private var places: [UInt64: Int32] = [:]

  init(_ plan: PivotPlan) {
    self.plan = plan
    aggregate = ColumnAggregate(plan.aggregate, into: plan.name, plan.context.log)
    store = RowStore(columnCount: plan.keySchema.columns.count)
  }

  var isEmpty: Bool { table.count == 0 }

  /// What the rows take; a place counts as what the usual aggregates have for it.
  var byteCount: Int {
    table.byteCount + store.byteCount + 16 * table.count + 64 * places.count
  }

  func find(_ keys: EncodedKeys) -> [Int32] { table.find(keys) }

  func add(
    _ batch: Batch, _ keyColumns: [Column], _ keys: EncodedKeys, _ columns: [Int32],
    numbers: [Int64] = []
  ) throws {
    let (rows, newRows) = table.assign(keys)
    let keyRows = Batch(schema: plan.keySchema, columns: keyColumns, rowCount: batch.rowCount)
    locators += store.append(keyRows.gathered(newRows))
    if !numbers.isEmpty { firsts += newRows.map { numbers[Int($0)] } }
    try update(batch, rows: rows, columns: columns)
  }

  func update(_ batch: Batch, rows: [Int32], columns: [Int32]) throws {
    var groups: [Int32] = []
    groups.reserveCapacity(batch.rowCount)
    for (row, column) in zip(rows, columns) {
      let place = UInt64(row) << 32 | UInt64(column)
      let next = Int32(places.count)
      groups.append(places[place] ?? next)
      if groups.last == next { places[place] = next }
    }
    try aggregate.update(batch, groups: groups, groupCount: places.count)
  }

  /// Emits the rows in the order in which they appeared, with the numbers of their first rows.
  func emit(
    _ schema: Schema, _ width: Int, _ emit: (Batch, _ numbers: [Int64]) throws -> Demand
  ) throws -> Demand {
    let values = try aggregate.finish(groupCount: places.count)
    for start in stride(from: 0, to: locators.count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, locators.count)
      let keys = store.batch(locators[range], schema: plan.keySchema).columns
      let cells = (0..<width).map { column in
        var cells = CellBuilder()
        for row in range {
          if let group = places[UInt64(row) << 32 | UInt64(column)] {
            cells.append(Int(group), of: values)
          } else {
            cells.append(Cell.null)
          }
        }
        return cells.finish()
      }
      let batch = Batch(schema: schema, columns: keys + cells, rowCount: range.count)
      if try emit(batch, firsts.isEmpty ? [] : Array(firsts[range])) == .enough { return .enough }
    }
    return .more
  }
}
