internal import AggregateCore

/// Finds the one schema of a source whose columns are not declared, though its partitions are read
/// side by side: the first partition that has rows decides, in the order of the rows.
actor SchemaGate {
  private var schema: Schema?
  private var settled: Set<Int> = []
  /// The first partition that neither had rows nor came to its end.
  private var turn = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// The schema; `candidate` when partition `index` is the one that decides.
  ///
  /// Waits until all partitions before it came to their end, with rows or without: they always do,
  /// also when the run is cancelled.
  func schema(for index: Int, candidate: Schema) async -> (schema: Schema, isNew: Bool) {
    while schema == nil && turn != index {
      await withCheckedContinuation { waiting.append($0) }
    }
    if let schema { return (schema, false) }
    schema = candidate
    wake()
    return (candidate, true)
  }

  /// Notes that a partition came to its end.
  func settle(_ index: Int) {
    settled.insert(index)
    while settled.remove(turn) != nil { turn += 1 }
    wake()
  }

  /// Whether some partition had rows.
  var isDecided: Bool { schema != nil }

  private func wake() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }
}
