import AggregateCore

final class SumState: GroupState {
  private var counts: [Int64] = []
  private var reals: [Double] = []
  private var wholes: [Int128] = []
  private var hasReal: [Bool] = []
  private let isMean: Bool

  init(isMean: Bool) { self.isMean = isMean }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    counts.grow(to: groupCount, 0)
    reals.grow(to: groupCount, 0)
    wholes.grow(to: groupCount, 0)
    hasReal.grow(to: groupCount, false)
    let numbers = Numbers(operand, frame)
    if let vector = numbers.doubles {
      for row in 0..<frame.count {
        guard let value = vector[row] else { continue }
        let group = Int(groups[row])
        reals[group] += value
        counts[group] += 1
        hasReal[group] = true
      }
      return
    }
    if let vector = numbers.ints {
      for row in 0..<frame.count {
        guard let value = vector[row] else { continue }
        let group = Int(groups[row])
        wholes[group] += Int128(value)
        counts[group] += 1
      }
      return
    }
    for row in 0..<frame.count {
      let group = Int(groups[row])
      if numbers.isWide(row), let value = numbers.whole(row) {
        let (sum, overflow) = wholes[group].addingReportingOverflow(value)
        if overflow {
          reals[group] += Double(value)
          hasReal[group] = true
        } else {
          wholes[group] = sum
        }
        counts[group] += 1
        continue
      }
      switch numbers[row] {
      case .int(let value)?:
        wholes[group] += Int128(value)
        counts[group] += 1
      case .double(let value)?:
        reals[group] += value
        counts[group] += 1
        hasReal[group] = true
      case nil: break
      }
    }
  }

  func finish(groupCount: Int) -> Column {
    let counts = counts.filled(to: groupCount, 0)
    let reals = reals.filled(to: groupCount, 0)
    let wholes = wholes.filled(to: groupCount, 0)
    let hasReal = hasReal.filled(to: groupCount, false)
    func real(_ group: Int) -> Double { Double(wholes[group]) + reals[group] }
    if isMean {
      return .doubles(
        Rows.vector(groupCount, 0) { group in
          counts[group] == 0 ? nil : real(group) / Double(counts[group])
        })
    }
    if !hasReal.contains(true) {
      let fits = wholes.allSatisfy { Int64(exactly: $0) != nil }
      if fits {
        return .ints(
          Rows.vector(groupCount, 0) { group in
            counts[group] == 0 ? nil : Int64(wholes[group])
          })
      }
    }
    return Rows.cells(groupCount) { group, out in
      if counts[group] == 0 { return .null }
      if hasReal[group] {
        guard real(group).isFinite else { return .null }
        out.append(NumberText.shortest(real(group)))
        return .real
      }
      out.append(String(wholes[group]))
      return .integer
    }.column(count: groupCount)
  }
}
