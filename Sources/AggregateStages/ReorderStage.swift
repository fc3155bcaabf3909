internal import AggregateCore

/// Moves the named columns to the front.
struct ReorderStage: Stage {
  static let spec = StageSpec(
    "reorder", "Move the named columns to the front; the others follow as they were.",
    options: [
      OptionSpec(
        "columns", .list(of: .text, orSingle: true), required: true, "Names of columns, in order.",
        example: "[date, place]")
    ],
    shorthand: .value("columns"), positionals: ["columns"],
    example: "reorder: [date, place]")

  private let names: [LocatedText]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    names = NameList.names(options, "columns")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    var order: [Int] = []
    for index in try schema.resolveWhole(names) + Array(schema.columns.indices)
    where !order.contains(index) {
      order.append(index)
    }
    // The overflow column has its meaning only as the last one.
    if schema.isOpen, let overflow = schema.index(of: Schema.overflowName) {
      order.removeAll { $0 == overflow }
      order.append(overflow)
    }
    let output = try schema.replacing(order.map { schema.columns[$0] }, at: nil)
    return .rows(
      ColumnPicker(output: output, references: order.map { ColumnReference(index: $0) }))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(output: schema, needing: try schema.resolve(names), of: schema)
  }
}
