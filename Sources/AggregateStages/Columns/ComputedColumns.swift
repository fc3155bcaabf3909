internal import AggregateCore
internal import AggregateExpressions

/// Columns that expressions compute, one after the other; each may use those before it.
struct ComputedColumns: RowTransform {
  private struct Step: Sendable {
    let name: String
    let expression: BoundExpression
    let index: Int
    let isNew: Bool
    let schema: Schema
  }

  let output: Schema
  /// What of the input the expressions read.
  let references: [ColumnReference]
  private let steps: [Step]
  private let log: RunLog

  /// Compiles `expressions` for rows of `schema`; a name that a column already has replaces it in place.
  ///
  /// - Throws: ``DiagnosticsError`` with the mistakes of all expressions.
  init(
    _ expressions: [(name: String, expression: Expression)], _ schema: Schema, _ log: RunLog
  ) throws {
    var current = schema
    var made: Set<String> = []
    var steps: [Step] = []
    var references: [ColumnReference] = []
    var mistakes: [Diagnostic] = []
    for (name, expression) in expressions {
      var type = ValueType.any
      var bound: BoundExpression?
      do {
        let compiled = try expression.bind(current)
        bound = compiled
        type = compiled.type
        for reference in compiled.references
        where !made.contains(current.columns[reference.index].name) {
          guard let index = schema.index(of: current.columns[reference.index].name) else {
            continue
          }
          references.append(ColumnReference(index: index, subpath: reference.subpath))
        }
      } catch let error as DiagnosticsError { mistakes += error.diagnostics }
      var columns = current.columns
      let existing = current.index(of: name)
      let index = existing ?? current.endOfOwnColumns
      if existing == nil {
        columns.insert(ColumnSpec(name, type), at: index)
      } else {
        columns[index] = ColumnSpec(name, type)
      }
      let next = try current.replacing(columns, at: nil)
      if let bound {
        steps.append(
          Step(name: name, expression: bound, index: index, isNew: existing == nil, schema: next))
      }
      made.insert(name)
      current = next
    }
    if !mistakes.isEmpty { throw DiagnosticsError(mistakes) }
    output = current
    self.references = references
    self.steps = steps
    self.log = log
  }

  func apply(_ batch: Batch) throws -> Batch {
    var batch = batch
    for step in steps {
      let column = try step.expression.evaluate(batch, into: step.name, log: log)
      var columns = batch.columns
      if step.isNew { columns.insert(column, at: step.index) } else { columns[step.index] = column }
      batch = Batch(schema: step.schema, columns: columns, rowCount: batch.rowCount)
    }
    return batch
  }
}
