internal import AggregateCore
internal import AggregateExpressions

/// Keeps the rows for which an expression is true.
struct FilterStage: Stage {
  static let spec = StageSpec(
    "filter", "Keep the rows for which an expression is true.",
    options: [
      OptionSpec(
        "where", ExpressionOption.shape, required: true, "The condition.",
        example: "temp > 20 and city is not null")
    ],
    shorthand: .value("where"), positionals: ["where"],
    discussion: """
      Where the expression is null – a comparison with null is – the row does not stay. Text that \
      does not read as a number compared with a number is null, and reported once.
      """,
    example: "filter: temp > 20 and city is not null")

  private let condition: Expression?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    condition = options.node("where").flatMap { ExpressionOption.parse($0, &diagnostics) }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    guard let condition else { return .rows(ColumnPicker(all: schema)) }
    return .rows(
      Filter(output: schema, condition: try condition.bindCondition(schema), log: context.log))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(
      output: schema, needing: try condition?.bindCondition(schema).references ?? [], of: schema)
  }

  private struct Filter: RowTransform {
    let output: Schema
    let condition: BoundExpression
    let log: RunLog

    func apply(_ batch: Batch) throws -> Batch {
      guard let rows = try condition.selectedRows(batch, label: "filter", log: log) else {
        return batch
      }
      return batch.gathered(rows)
    }
  }
}
