internal import AggregateCore

/// A function over the rows of a window.
enum WindowFunction: String, CaseIterable, Sendable {
  case lag, lead, first, last, count, sum, mean, avg, min, max
  case rowNumber = "row_number"
  case rank
  case denseRank = "dense_rank"

  var needsArgument: Bool {
    switch self {
    case .rowNumber, .rank, .denseRank, .count: false
    default: true
    }
  }

  func type(of argument: ValueType) -> ValueType {
    switch self {
    case .lag, .lead, .first, .last, .min, .max: argument
    case .count, .rowNumber, .rank, .denseRank: .int
    case .sum, .mean, .avg: .number
    }
  }
}
