internal import AggregateCore

/// Gives columns new names.
struct RenameStage: Stage {
  static let spec = StageSpec(
    "rename", "Give columns new names.",
    options: [
      OptionSpec(
        "columns", .map(of: .text, keys: "old name"), required: true,
        "The old name, and the new one.", example: "{ temp_max: hottest }")
    ],
    shorthand: .entries("columns"), positionals: ["columns"],
    example: "rename: { temp_max: hottest }")

  private let old: [LocatedText]
  private let new: [String]
  private let location: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let entries = options.entries("columns") ?? []
    old = entries.map { LocatedText($0.key, at: $0.location) }
    new = entries.map { $0.value.string ?? "" }
    location = options.location("columns")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .rows(
      ColumnPicker(
        output: try output(of: schema),
        references: schema.columns.indices.map { ColumnReference(index: $0) }))
  }

  private func output(of schema: Schema) throws -> Schema {
    var columns = schema.columns
    for (index, name) in zip(try schema.resolveWhole(old), new) where columns[index].name != name {
      columns[index].name = name
      columns[index].path = nil
    }
    return try schema.replacing(columns, at: location)
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    guard let wanted = try output(of: schema).references(downstream) else { return .all }
    return ColumnDemand.of(wanted + (try schema.resolve(old)), in: schema)
  }
}
