import AggregateCore

/// Mean and squared deviations by Welford's method, and products.
final class MomentState: GroupState {
  enum Result {
    case deviation
    case deviationOfAll
    case variance
    case varianceOfAll
    case product
  }

  private var counts: [Double] = []
  private var means: [Double] = []
  private var squares: [Double] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    means.grow(to: groupCount, result == .product ? 1 : 0)
    squares.grow(to: groupCount, 0)
    let values = frame.doubles(operand)
    for row in 0..<frame.count {
      guard let value = values[row] else { continue }
      let group = Int(groups[row])
      counts[group] += 1
      if result == .product {
        means[group] *= value
        continue
      }
      let delta = value - means[group]
      means[group] += delta / counts[group]
      squares[group] += delta * (value - means[group])
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, 0)
    let means = means.filled(to: groupCount, 0)
    let squares = squares.filled(to: groupCount, 0)
    return .doubles(
      Rows.vector(groupCount, 0) { group in
        let count = counts[group]
        switch result {
        case .product: return count == 0 ? nil : means[group]
        case .deviation: return count < 2 ? nil : (squares[group] / (count - 1)).squareRoot()
        case .variance: return count < 2 ? nil : squares[group] / (count - 1)
        case .deviationOfAll: return count == 0 ? nil : (squares[group] / count).squareRoot()
        case .varianceOfAll: return count == 0 ? nil : squares[group] / count
        }
      })
  }
}
