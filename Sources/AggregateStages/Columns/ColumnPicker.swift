internal import AggregateCore

/// Picks columns, and values inside of columns, in the order of the output.
struct ColumnPicker: RowTransform {
  let output: Schema
  /// Where each output column comes from.
  let references: [ColumnReference]

  func apply(_ batch: Batch) throws -> Batch {
    Batch(schema: output, columns: try batch.values(of: references), rowCount: batch.rowCount)
  }
}

extension ColumnPicker {
  /// Passes every column on.
  init(all schema: Schema) {
    self.init(
      output: schema, references: schema.columns.indices.map { ColumnReference(index: $0) })
  }
}
