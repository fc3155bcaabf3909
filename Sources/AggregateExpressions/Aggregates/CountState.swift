import AggregateCore

final class CountState: GroupState {
  private var counts: [Int64] = []
  private let skipsNulls: Bool

  init(skipsNulls: Bool) { self.skipsNulls = skipsNulls }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    if skipsNulls {
      let nulls = frame.nulls(operand)
      for row in 0..<frame.count where !nulls[row] { counts[Int(groups[row])] += 1 }
    } else {
      for group in groups { counts[Int(group)] += 1 }
    }
  }

  func finish(groupCount: Int) -> Column { .ints(Vector(counts.filled(to: groupCount, 0))) }
}
