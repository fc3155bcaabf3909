import AggregateCore

final class ModeState: GroupState {
  private var counts: [[[UInt8]: (count: Int, order: Int)]] = []
  private var values: [[StoredValue]] = []

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, [:])
    values.grow(to: groupCount, [])
    let reader = CellReader(operand)
    var key: [UInt8] = []
    for row in 0..<frame.count {
      let value = reader.exact(row)
      if value.isNull { continue }
      let group = Int(groups[row])
      key.removeAll(keepingCapacity: true)
      DistinctKey.append(value, &key)
      if counts[group][key] == nil {
        counts[group][key] = (0, values[group].count)
        values[group].append(reader.stored(row))
      }
      counts[group][key]?.count += 1
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, [:])
    let values = values.filled(to: groupCount, [])
    return StoredValue.column(
      (0..<groupCount).map { group in
        let best = counts[group].values.max { ($0.count, -$0.order) < ($1.count, -$1.order) }
        return best.map { values[group][$0.order] } ?? .none
      })
  }
}
