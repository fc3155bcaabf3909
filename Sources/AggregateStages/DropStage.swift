internal import AggregateCore

/// Leaves out the named columns.
struct DropStage: Stage {
  static let spec = StageSpec(
    "drop", "Leave out the named columns.",
    options: [
      OptionSpec(
        "columns", .list(of: .text, orSingle: true), required: true, "Names of columns.",
        example: "[content, author]")
    ],
    shorthand: .value("columns"), positionals: ["columns"],
    example: "drop: [content, author]")

  private let names: [LocatedText]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    names = NameList.names(options, "columns")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let dropped = Set(try schema.resolveWhole(names))
    let kept = schema.columns.indices.filter { !dropped.contains($0) }
    let output = try schema.replacing(kept.map { schema.columns[$0] }, at: nil)
    return .rows(
      ColumnPicker(output: output, references: kept.map { ColumnReference(index: $0) }))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(
      output: schema, needing: try schema.resolve(names), of: schema)
  }
}
