internal import AggregateCore

/// Repeats the last value where there is none.
struct FillDownStage: Stage {
  static let spec = StageSpec(
    "fill_down", "Repeat a column's last value where it has none.",
    options: [
      OptionSpec(
        "columns", .list(of: .text, orSingle: true), required: true, "Names of columns.",
        example: "[city]")
    ],
    shorthand: .value("columns"), positionals: ["columns"],
    discussion: "Null and absent values are replaced; the empty text is a value and stays.",
    example: "fill_down: [city]")

  private let names: [LocatedText]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    names = NameList.names(options, "columns")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let indexes = try schema.resolveWhole(names)
    return .stream(output: schema) { FillDownTransform(indexes) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(output: schema, needing: try schema.resolve(names), of: schema)
  }
}

private final class FillDownTransform: StreamTransform {
  private let indexes: [Int]
  /// For each filled column, a column of one row with the last value.
  private var last: [Int: Column] = [:]

  init(_ indexes: [Int]) { self.indexes = indexes }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    var columns = batch.columns
    for index in indexes { columns[index] = filled(columns[index], index) }
    return try emit(Batch(schema: batch.schema, columns: columns, rowCount: batch.rowCount))
  }

  private func filled(_ column: Column, _ index: Int) -> Column {
    var source = -1
    var cells = CellBuilder()
    var isChanged = false
    for row in 0..<column.count {
      if !column.kind(at: row).isNull {
        source = row
        cells.append(row, of: column)
      } else if source >= 0 {
        isChanged = true
        cells.append(source, of: column)
      } else if let last = last[index] {
        isChanged = true
        cells.append(0, of: last)
      } else {
        cells.append(row, of: column)
      }
    }
    if source >= 0 {
      var one = CellBuilder()
      one.append(source, of: column)
      last[index] = one.finish()
    }
    return isChanged ? cells.finish() : column
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {}
}
