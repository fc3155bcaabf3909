internal import AggregateCore
internal import AggregateExpressions

/// Replaces text in a column.
struct ReplaceStage: Stage {
  static let spec = StageSpec(
    "replace", "Replace what matches a regular expression in a column's text.",
    options: [
      OptionSpec("column", .text, required: true, "The column.", example: "title"),
      OptionSpec(
        "pattern", .text, required: true, "A regular expression (RE2).", example: "\" +\""),
      OptionSpec(
        "with", .text, default: "\"\"",
        "The new text; \\1 to \\9 stand for what groups matched.", example: "\" \""),
    ],
    shorthand: .none, positionals: ["column"],
    discussion: "Every match is replaced. Nulls stay null.",
    example: "replace: { column: title, pattern: \" +\", with: \" \" }")

  private let name: LocatedText
  private let pattern: String
  private let patternLocation: SourceLocation
  private let replacement: String

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    name = LocatedText(options.text("column") ?? "", at: options.location("column"))
    pattern = options.text("pattern") ?? ""
    patternLocation = options.location("pattern")
    replacement = options.given("with")?.string ?? ""
  }

  private func computed(_ schema: Schema, _ log: RunLog) throws -> ComputedColumns {
    let index = try schema.resolveWhole([name])[0]
    let column = LocatedText(schema.columns[index].name, at: name.location)
    do {
      return try computed(column, schema, log)
    } catch let error as DiagnosticsError {
      // What can be wrong now is the pattern.
      throw DiagnosticsError(
        error.diagnostics.map {
          Diagnostic($0.severity, $0.code, $0.message, at: patternLocation, hint: $0.hint)
        })
    }
  }

  private func computed(
    _ column: LocatedText, _ schema: Schema, _ log: RunLog
  ) throws -> ComputedColumns {
    let expression = try ExpressionOption.made(
      {
        "regexp_replace(\($0), \(ExpressionOption.literal(pattern)), "
          + "\(ExpressionOption.literal(replacement)), 'g')"
      }, of: column)
    return try ComputedColumns([(column.text, expression)], schema, log)
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .rows(try computed(schema, context.log))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let index = try schema.resolveWhole([name])[0]
    return downstream.passing(
      making: [schema.columns[index].name], output: try computed(schema, .silent).output,
      needing: [ColumnReference(index: index)], of: schema)
  }
}
