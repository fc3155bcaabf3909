internal import AggregateCore

/// Hides values.
struct MaskStage: Stage {
  static let spec = StageSpec(
    "mask", "Hide a column's values: hash keeps equal values equal, redact shows nothing of them.",
    options: [
      OptionSpec(
        "columns", .map(of: .choice(["hash", "redact"]), keys: "column"), required: true,
        "For each column, hash or redact.", example: "{ email: hash }")
    ],
    shorthand: .entries("columns"), positionals: ["columns"],
    discussion: """
      hash gives the SHA-256 of the value's text in hexadecimal digits; who can guess a value can check \
      the guess. redact gives ***. Nulls stay null.
      """,
    example: "mask: { email: hash }")

  private let names: [LocatedText]
  private let hashes: [Bool]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let entries = options.entries("columns") ?? []
    names = entries.map { LocatedText($0.key, at: $0.location) }
    hashes = entries.map { $0.value.string == "hash" }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    var columns = schema.columns
    let indexes = try schema.resolveWhole(names)
    for index in indexes { columns[index].type = .text }
    let output = try schema.replacing(columns, at: nil)
    return .rows(Mask(output: output, masks: Array(zip(indexes, hashes))))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(output: schema, needing: try schema.resolve(names), of: schema)
  }

  private struct Mask: RowTransform {
    let output: Schema
    let masks: [(index: Int, hashes: Bool)]

    func apply(_ batch: Batch) throws -> Batch {
      var columns = batch.columns
      for (index, hashes) in masks {
        var cells = CellBuilder()
        for row in 0..<batch.rowCount {
          let value = columns[index].value(at: row)
          if value.isNull {
            cells.append(value)
          } else {
            cells.append(.text(hashes ? SHA256.hexadecimal(value.displayText) : "***"))
          }
        }
        columns[index] = cells.finish()
      }
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }
  }
}
