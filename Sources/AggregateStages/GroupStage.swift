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
      order in which they first appear, and their columns in the order of by and then of set.
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
    return .stream(output: output) { [names = aggregates.map(\.name)] in
      GroupTransform(
        output, keys, zip(names, bound).map { ColumnAggregate($1, into: $0, context.log) })
    }
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

private final class GroupTransform: StreamTransform {
  private let output: Schema
  private let keys: [ColumnReference]
  private let encoder: KeyEncoder
  private let table = KeyTable()
  private let keySchema: Schema
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  private let aggregates: [ColumnAggregate]

  init(_ output: Schema, _ keys: [ColumnReference], _ aggregates: [ColumnAggregate]) {
    self.output = output
    self.keys = keys
    self.aggregates = aggregates
    encoder = KeyEncoder(ascending: keys.count)
    keySchema = Schema(Array(output.columns.prefix(keys.count)))
    store = RowStore(columnCount: keys.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if batch.rowCount == 0 { return .more }
    var groups = Array(repeating: Int32(0), count: batch.rowCount)
    var count = 1
    if !keys.isEmpty {
      let columns = try batch.values(of: keys)
      let (numbers, newRows) = table.assign(encoder.encode(columns, rowCount: batch.rowCount))
      groups = numbers
      count = table.count
      if !newRows.isEmpty {
        let rows = Batch(schema: keySchema, columns: columns, rowCount: batch.rowCount)
        locators += store.append(rows.gathered(newRows))
      }
    }
    for aggregate in aggregates {
      try aggregate.update(batch, groups: groups, groupCount: count)
    }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    let count = keys.isEmpty ? 1 : table.count
    if count == 0 { return }
    let computed = try aggregates.map { try $0.finish(groupCount: count) }
    for start in stride(from: 0, to: count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, count)
      let columns = keys.isEmpty ? [] : store.batch(locators[range], schema: keySchema).columns
      let batch = Batch(
        schema: output, columns: columns + computed.map { $0.sliced(range) }, rowCount: range.count)
      if try emit(batch) == .enough { return }
    }
  }
}
