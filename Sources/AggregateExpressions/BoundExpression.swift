public import AggregateCore

/// An expression compiled for one schema: evaluated over whole batches, from any thread.
public struct BoundExpression: Sendable {
  /// The type of its values; `any` when only the cells can tell.
  public let type: ValueType
  /// The columns, and paths inside them, that it reads.
  public let references: [ColumnReference]
  private let plan: Plan
  private let resultType: ExpressionType

  init(_ bound: Bound, references: [ColumnReference]) {
    plan = bound.plan
    resultType = bound.type
    type = bound.type.columnType
    self.references = references
  }

  /// Its value for each row of `batch`.
  ///
  /// What cannot be computed on a row becomes null and is counted in `log`, under the name `column`.
  /// - Throws: ``AggregateError`` for the first such value when `log` is strict.
  public func evaluate(_ batch: Batch, into column: String, log: RunLog) throws -> Column {
    let losses = Losses()
    let frame = Frame(batch, losses: losses)
    let operand = frame.converted(plan.evaluate(frame), to: resultType)
    try losses.report(column, log)
    return operand.column(count: batch.rowCount)
  }

  /// The rows of `batch` for which it is true, ascending; nil when it is true for all.
  ///
  /// - Parameter label: What losses are reported under.
  /// - Throws: ``AggregateError`` for a value that cannot be computed when `log` is strict.
  public func selectedRows(_ batch: Batch, label: String, log: RunLog) throws -> [Int32]? {
    let losses = Losses()
    let frame = Frame(batch, losses: losses)
    let vector = frame.bools(plan.evaluate(frame))
    for (kind, loss) in losses.byKind {
      try log.lost(in: label, kind: kind, count: loss.count, example: loss.example)
    }
    let count = batch.rowCount
    let nulls = vector.nulls
    let rows = [Int32](unsafeUninitializedCapacity: count) { target, initialized in
      var selected = 0
      vector.values.withUnsafeBufferPointer { values in
        for row in 0..<count where values[row] {
          if let nulls, nulls[row] { continue }
          target.initializeElement(at: selected, to: Int32(truncatingIfNeeded: row))
          selected += 1
        }
      }
      initialized = selected
    }
    return rows.count == count ? nil : rows
  }
}

extension Losses {
  func report(_ column: String, _ log: RunLog) throws {
    for (kind, loss) in byKind {
      try log.lost(column: column, kind: kind, count: loss.count, example: loss.example)
    }
  }
}
