import AggregateCore

final class QuantileState: GroupState {
  private var values: [[Double]] = []
  private let fraction: Double
  private let isContinuous: Bool

  init(fraction: Double, isContinuous: Bool) {
    self.fraction = fraction
    self.isContinuous = isContinuous
  }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    values.grow(to: groupCount, [])
    let numbers = frame.doubles(operand)
    for row in 0..<frame.count {
      if let value = numbers[row] { values[Int(groups[row])].append(value) }
    }
  }

  func finish(groupCount: Int) -> Column {
    let values = values.filled(to: groupCount, [])
    return .doubles(
      Rows.vector(groupCount, 0) { group in
        let sorted = values[group].sorted()
        guard let last = sorted.last else { return nil }
        if !isContinuous {
          let rank = Int((fraction * Double(sorted.count)).rounded(.up))
          return sorted[Swift.max(rank, 1) - 1]
        }
        let place = fraction * Double(sorted.count - 1)
        let low = Int(place)
        if low + 1 >= sorted.count { return last }
        return sorted[low] + (sorted[low + 1] - sorted[low]) * (place - Double(low))
      })
  }
}
