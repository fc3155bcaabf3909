internal import AggregateCore

/// The rows of a batch as texts for people.
enum DisplayRows {
  /// The texts of all rows; control characters are made visible.
  static func texts(_ batch: Batch) -> [[String]] {
    (0..<batch.rowCount).map { row in
      batch.columns.map { DisplayWidth.visible($0.value(at: row).displayText) }
    }
  }

  /// Whether every value of `column` that is there is a number, and there is one.
  static func isNumeric(_ column: Column) -> Bool {
    var found = false
    for row in 0..<column.count {
      let kind = column.kind(at: row)
      if kind.isNull { continue }
      if !kind.isNumber { return false }
      found = true
    }
    return found
  }
}
