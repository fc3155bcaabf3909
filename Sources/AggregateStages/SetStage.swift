internal import AggregateCore
internal import AggregateExpressions

/// Computes columns.
struct SetStage: Stage {
  static let spec = StageSpec(
    "set", "Compute columns from expressions.",
    options: [
      OptionSpec(
        "columns", .map(of: ExpressionOption.shape, keys: "column"), required: true,
        "For each new column, the expression that computes it.", example: "{ f: temp * 1.8 + 32 }")
    ],
    shorthand: .entries("columns"), positionals: ["columns"],
    discussion: """
      Expressions are computed in order, and may use the columns set before them. A column of that \
      name is replaced in place; otherwise the new one comes last.
      """,
    example: "set: { f: temp * 1.8 + 32, label: upper(city) }")

  private let expressions: [(name: String, expression: Expression)]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    var expressions: [(name: String, expression: Expression)] = []
    for entry in options.entries("columns") ?? [] {
      if let expression = ExpressionOption.parse(entry.value, &diagnostics) {
        expressions.append((entry.key, expression))
      }
    }
    self.expressions = expressions
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .rows(try ComputedColumns(expressions, schema, context.log))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let computed = try ComputedColumns(expressions, schema, .silent)
    return downstream.passing(
      making: Set(expressions.map(\.name)), output: computed.output,
      needing: computed.references, of: schema)
  }
}
