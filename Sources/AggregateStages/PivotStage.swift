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
      Rows and columns come in the order in which they first appear. A place without rows is null.
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
    return .stream(output: keySchema) { [name = self.column.text] in
      PivotTransform(
        keySchema, rows, column, bound.type, ColumnAggregate(bound, into: name, context.log))
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let references = try schema.resolve(rows) + [try schema.resolve(column)]
    return ColumnDemand.of(
      references + (try aggregate?.bind(schema).references ?? []), in: schema)
  }
}

private final class PivotTransform: StreamTransform {
  private let keySchema: Schema
  private let rows: [ColumnReference]
  private let column: ColumnReference
  private let type: ValueType
  private let aggregate: ColumnAggregate
  private let rowTable = KeyTable()
  private let columnTable = KeyTable()
  private let store: RowStore
  private var locators: [RowStore.Locator] = []
  private var names: [String] = []
  /// The number of the group of a row and a column.
  private var places: [UInt64: Int32] = [:]

  init(
    _ keySchema: Schema, _ rows: [ColumnReference], _ column: ColumnReference, _ type: ValueType,
    _ aggregate: ColumnAggregate
  ) {
    self.keySchema = keySchema
    self.rows = rows
    self.column = column
    self.type = type
    self.aggregate = aggregate
    store = RowStore(columnCount: keySchema.columns.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keyColumns = try batch.values(of: rows)
    let (rowNumbers, newRows) = rowTable.assign(
      KeyEncoder(ascending: rows.count).encode(keyColumns, rowCount: batch.rowCount))
    let keyRows = Batch(schema: keySchema, columns: keyColumns, rowCount: batch.rowCount)
    locators += store.append(keyRows.gathered(newRows))
    let headings = try batch.values(of: column)
    let (columnNumbers, newColumns) = columnTable.assign(
      KeyEncoder(ascending: 1).encode([headings], rowCount: batch.rowCount))
    for row in newColumns {
      let value = headings.value(at: Int(row))
      names.append(value.isNull ? "null" : value.displayText)
    }
    var groups: [Int32] = []
    groups.reserveCapacity(batch.rowCount)
    for (row, column) in zip(rowNumbers, columnNumbers) {
      let place = UInt64(row) << 32 | UInt64(column)
      let next = Int32(places.count)
      groups.append(places[place] ?? next)
      if groups.last == next { places[place] = next }
    }
    try aggregate.update(batch, groups: groups, groupCount: places.count)
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    let values = try aggregate.finish(groupCount: places.count)
    var used = Set(keySchema.names)
    var columns = keySchema.columns
    for name in names {
      var unique = name
      var number = 2
      while !used.insert(unique).inserted {
        unique = "\(name)_\(number)"
        number += 1
      }
      columns.append(ColumnSpec(unique, type))
    }
    let output = Schema(columns)
    if locators.isEmpty {
      _ = try emit(.empty(output))
      return
    }
    for start in stride(from: 0, to: locators.count, by: Batch.defaultRowCount) {
      let range = start..<min(start + Batch.defaultRowCount, locators.count)
      let keys = store.batch(locators[range], schema: keySchema).columns
      let cells = names.indices.map { column in
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
      let batch = Batch(schema: output, columns: keys + cells, rowCount: range.count)
      if try emit(batch) == .enough { return }
    }
  }
}
