import AggregateCore

final class ConditionState: GroupState {
  enum Result {
    case count
    case and
    case or
  }

  private var trues: [Int64] = []
  private var falses: [Int64] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    trues.grow(to: groupCount, 0)
    falses.grow(to: groupCount, 0)
    let values = frame.bools(operand)
    for row in 0..<frame.count {
      guard let value = values[row] else { continue }
      if value { trues[Int(groups[row])] += 1 } else { falses[Int(groups[row])] += 1 }
    }
  }

  func finish(groupCount: Int) -> Column {
    let trues = trues.filled(to: groupCount, 0)
    let falses = falses.filled(to: groupCount, 0)
    if result == .count { return .ints(Vector(trues)) }
    return .bools(
      Rows.vector(groupCount, false) { group in
        if trues[group] + falses[group] == 0 { return nil }
        return result == .and ? falses[group] == 0 : trues[group] > 0
      })
  }
}
