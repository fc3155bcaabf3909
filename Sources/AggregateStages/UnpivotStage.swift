internal import AggregateCore

/// Makes a row of each of several columns.
struct UnpivotStage: Stage {
  static let spec = StageSpec(
    "unpivot",
    "Make a row of each of several columns: one column for the names, one for the values.",
    options: [
      OptionSpec(
        "columns", .list(of: .text, orSingle: true), required: true, "The columns to turn.",
        example: "[jan, feb]"),
      OptionSpec("name", .text, default: "name", "The column for the names.", example: "month"),
      OptionSpec("value", .text, default: "value", "The column for the values.", example: "temp"),
    ],
    shorthand: .value("columns"), positionals: ["columns"],
    discussion: "Every row becomes as many rows as there are columns to turn; nulls are kept.",
    example: "unpivot: { columns: [jan, feb], name: of_month, value: measured }")

  private let names: [LocatedText]
  private let name: String
  private let value: String
  private let location: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    names = NameList.names(options, "columns")
    name = options.text("name") ?? "name"
    value = options.text("value") ?? "value"
    location = options.location("name")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let turned = try schema.resolveWhole(names)
    let kept = schema.columns.indices.filter { !turned.contains($0) }
    let types = Set(turned.map { schema.columns[$0].type })
    let type = types.count == 1 ? types.first ?? .any : .any
    var columns = kept.map { schema.columns[$0] }
    let place = schema.isOpen && kept.last == schema.columns.count - 1 ? kept.count - 1 : kept.count
    columns.insert(contentsOf: [ColumnSpec(name, .text), ColumnSpec(value, type)], at: place)
    let output = try schema.replacing(columns, at: location)
    return .rows(
      Unpivot(
        output: output, turned: turned, names: turned.map { schema.columns[$0].name }, kept: kept,
        place: place))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let output = try bind(schema, sides: [], .forSchemas).output
    return downstream.passing(
      making: [name, value], output: output, needing: try schema.resolve(names), of: schema)
  }

  private struct Unpivot: RowTransform {
    let output: Schema
    let turned: [Int]
    let names: [String]
    let kept: [Int]
    let place: Int

    func apply(_ batch: Batch) throws -> Batch {
      var rows: [Int32] = []
      var labels = CellBuilder()
      var values = CellBuilder()
      for row in 0..<batch.rowCount {
        for (name, index) in zip(names, turned) {
          rows.append(Int32(row))
          labels.append(.text(name))
          values.append(row, of: batch.columns[index])
        }
      }
      var columns = kept.map { batch.columns[$0].gathered(rows) }
      columns.insert(values.finish(), at: place)
      columns.insert(labels.finish(), at: place)
      return Batch(schema: output, columns: columns, rowCount: rows.count)
    }
  }
}
