import AggregateCore

/// Counts rows.
actor EmittedRows {
  var count = 0

  func add(_ work: Work) {
    if case .batch(let batch) = work { count += batch.rowCount }
  }
}
