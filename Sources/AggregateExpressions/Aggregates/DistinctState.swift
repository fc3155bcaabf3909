import AggregateCore

/// Passes each value of a group on once.
final class DistinctState: GroupState {
  private let inner: any GroupState
  private var seen: Set<[UInt8]> = []

  init(_ inner: any GroupState) { self.inner = inner }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    let reader = CellReader(operand)
    var rows: [Int32] = []
    var key: [UInt8] = []
    for row in 0..<frame.count {
      key.removeAll(keepingCapacity: true)
      withUnsafeBytes(of: groups[row]) { key.append(contentsOf: $0) }
      DistinctKey.append(reader.exact(row), &key)
      if seen.insert(key).inserted { rows.append(Int32(row)) }
    }
    inner.update(
      operand.gathered(rows), frame.subset(rows), groups: rows.map { groups[Int($0)] },
      groupCount: groupCount)
  }

  func finish(groupCount: Int) -> Column { inner.finish(groupCount: groupCount) }
}
