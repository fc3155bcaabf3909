internal import AggregateCore

/// Puts a value where there is none.
struct FillStage: Stage {
  static let spec = StageSpec(
    "fill", "Put a value where a column has none.",
    options: [
      OptionSpec(
        "values", .map(of: .text, keys: "column"), required: true,
        "For each column, the value that replaces null.", example: "{ temp: 0 }")
    ],
    shorthand: .entries("values"), positionals: ["values"],
    discussion: "Null and absent values are replaced; the empty text is a value and stays.",
    example: "fill: { temp: 0 }")

  private let names: [LocatedText]
  private let values: [Value]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let entries = options.entries("values") ?? []
    names = entries.map { LocatedText($0.key, at: $0.location) }
    values = entries.map { Self.value($0.value) }
  }

  /// What a scalar means: a plain number or boolean is one, everything else is text.
  static func value(_ node: Node) -> Value {
    let text = node.string ?? ""
    guard node.scalar?.isPlain == true else { return .text(text) }
    if text == "true" || text == "false" { return .bool(text == "true") }
    return NumberText.kind(text) == nil ? .text(text) : .number(text)
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    var columns = schema.columns
    var fills: [Int: Value] = [:]
    for (index, value) in zip(try schema.resolveWhole(names), values) {
      fills[index] = value
      if !Self.fits(value, columns[index].type) { columns[index].type = .any }
    }
    return .rows(Fill(output: try schema.replacing(columns, at: nil), fills: fills))
  }

  private static func fits(_ value: Value, _ type: ValueType) -> Bool {
    switch (value, type) {
    case (_, .any), (_, .json), (.number, .number), (.bool, .bool), (.text, .text): true
    case (.number(let text), .int): NumberText.kind(text) == .integer
    case (.text(let text), .date): CalendarDate(iso8601: text) != nil
    default: false
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(output: schema, needing: try schema.resolve(names), of: schema)
  }

  private struct Fill: RowTransform {
    let output: Schema
    let fills: [Int: Value]

    func apply(_ batch: Batch) throws -> Batch {
      var columns = batch.columns
      for (index, value) in fills { columns[index] = filled(columns[index], value) }
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }

    private func filled(_ column: Column, _ value: Value) -> Column {
      guard (0..<column.count).contains(where: { column.kind(at: $0).isNull }) else {
        return column
      }
      var cells = CellBuilder()
      for row in 0..<column.count {
        if column.kind(at: row).isNull {
          cells.append(value)
        } else {
          cells.append(row, of: column)
        }
      }
      return cells.finish()
    }
  }
}
