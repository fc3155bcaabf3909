import AggregateCore

/// Finds the columns of numbers from the first rows, however these are cut into batches.
struct NumericColumns {
  /// How many rows decide.
  static let learnedRows = 1000

  private let types: [ValueType]
  /// Whether all values so far were numbers; nil where there was none yet.
  private var found: [Bool?]
  private var rowCount = 0

  init(_ schema: Schema) {
    types = schema.columns.map(\.type)
    found = types.map { _ in nil }
  }

  /// Whether further rows change nothing.
  var isComplete: Bool { rowCount >= Self.learnedRows }

  /// Looks at the rows of `batch` that are among the first.
  mutating func learn(_ batch: Batch) {
    let rows = 0..<min(batch.rowCount, Self.learnedRows - rowCount)
    for (index, column) in batch.columns.enumerated() where types[index] == .any {
      for row in rows where found[index] != false {
        let kind = column.kind(at: row)
        if !kind.isNull { found[index] = kind.isNumber }
      }
    }
    rowCount += rows.count
  }

  /// Per column: whether it holds numbers, by its type or else by the rows.
  var flags: [Bool] {
    zip(types, found).map { type, found in
      switch type {
      case .int, .number: rowCount > 0
      case .any: found ?? false
      default: false
      }
    }
  }
}
