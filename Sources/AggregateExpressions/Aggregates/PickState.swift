import AggregateCore

/// One of the values: the smallest, largest, first, last.
final class PickState: GroupState {
  enum Result {
    case min
    case max
    case first
    case last
    case any
  }

  private var best: [StoredValue] = []
  private let result: Result

  init(_ result: Result) { self.result = result }

  func update(_ operand: Operand, _ frame: Frame, groups: [Int32], groupCount: Int) {
    best.grow(to: groupCount, .none)
    let reader = CellReader(operand)
    let wanted: UInt8 = result == .min ? 0 : 2
    for row in 0..<frame.count {
      let group = Int(groups[row])
      let value = reader.exact(row)
      switch result {
      case .last: best[group] = reader.stored(row)
      case .first: if case .none = best[group] { best[group] = reader.stored(row) }
      case .any:
        if case .none = best[group], !value.isNull { best[group] = reader.stored(row) }
      case .min, .max:
        if value.isNull { continue }
        let isBetter =
          switch (value, best[group]) {
          case (_, .none): true
          case (.int(let x), .int(let y)): result == .min ? x < y : x > y
          case (.double(let x), .double(let y)): result == .min ? x < y : x > y
          default:
            best[group].withValue { current in
              switch CellValue.order(value, current) {
              case .success(let order): return order.rawValue == wanted
              case .failure(let mistake):
                frame.lost(mistake.kind) { value.shown }
                return false
              }
            }
          }
        if isBetter { best[group] = reader.stored(row) }
      }
    }
  }

  func finish(groupCount: Int) -> Column {
    StoredValue.column(best.filled(to: groupCount, .none))
  }
}
