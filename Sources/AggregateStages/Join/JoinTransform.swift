internal import AggregateCore

/// Keeps the rows of the other side, then looks up each row of the input.
///
/// When the other side is too large for memory, both sides go to disk in parts by their keys, and each
/// part is joined on its own at the end.
final class JoinTransform: StreamTransform {
  /// The two sides on disk.
  private struct Parts {
    let left: RowPartitions
    let right: RowPartitions
    var leftCount: Int64 = 0
    var rightCount: Int64 = 0
  }

  private let plan: JoinPlan
  private let context: StageContext
  private let encoder: KeyEncoder
  private var table: JoinTable
  private let memory: MemoryShare
  private var parts: Parts?

  init(_ plan: JoinPlan, _ context: StageContext) {
    self.plan = plan
    self.context = context
    memory = context.memory.share()
    encoder = KeyEncoder(ascending: plan.leftKeys.count)
    table = JoinTable(plan)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if input == 1 {
      try keep(JoinTable.kept(of: batch, plan))
      return .more
    }
    let keys = try leftKeys(batch)
    guard let parts else { return try table.lookUp(batch, keys) { batch, _ in try emit(batch) } }
    try parts.left.append(batch, numbers: batch.numbers(from: parts.leftCount), keys: keys)
    self.parts?.leftCount += Int64(batch.rowCount)
    return .more
  }

  private func leftKeys(_ batch: Batch) throws -> EncodedKeys {
    encoder.encode(try batch.values(of: plan.leftKeys), rowCount: batch.rowCount)
  }

  private func keep(_ batch: Batch) throws {
    let keys = JoinTable.keys(ofKept: batch, plan)
    if let parts {
      try parts.right.append(batch, numbers: batch.numbers(from: parts.rightCount), keys: keys)
      self.parts?.rightCount += Int64(batch.rowCount)
      return
    }
    table.keep(batch, keys)
    // Without keys there is nothing by which to part the rows.
    if table.byteCount > memory.limit, !plan.rightKeys.isEmpty {
      parts = Parts(
        left: try RowPartitions(plan.left, context),
        right: try RowPartitions(plan.keptSchema, context))
      let kept = table
      table = JoinTable(plan)
      try kept.forEachKept { try keep($0) }
    }
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    if input == 1 {
      table.order()
    } else if let parts {
      try join(parts, emit)
    } else {
      _ = try table.emitUnmatched { batch, _ in try emit(batch) }
    }
  }

  private func join(_ parts: Parts, _ emit: (Batch) throws -> Demand) throws {
    let output = NumberedRows(plan.output, context)
    for part in 0..<RowPartitions.count {
      let table = JoinTable(plan)
      var rightNumbers: [Int64] = []
      try parts.right.forEach(part) { batch, numbers in
        table.keep(batch, JoinTable.keys(ofKept: batch, plan))
        rightNumbers += numbers
      }
      table.order()
      try parts.left.forEach(part) { batch, numbers in
        _ = try table.lookUp(batch, leftKeys(batch)) { joined, rows in
          try output.append(joined, numbers: rows.map { numbers[Int($0)] })
          return .more
        }
      }
      // Rows without a partner come behind all others.
      _ = try table.emitUnmatched { batch, rows in
        try output.append(batch, numbers: rows.map { parts.leftCount + rightNumbers[Int($0)] })
        return .more
      }
    }
    _ = try output.emit(emit)
  }
}
