import AggregateCore

/// One aggregate inside an expression, bound to a schema.
struct AggregateCall: Sendable {
  let kind: AggregateKind
  /// What is aggregated; nil for `count()`.
  let argument: Plan?
  let argumentType: ExpressionType
  let isDistinct: Bool
  /// The fraction of a quantile.
  let fraction: Double
  /// What stands between joined texts.
  let separator: [UInt8]

  init(
    _ kind: AggregateKind, _ arguments: [Bound], isDistinct: Bool
  ) throws(SyntaxMistake) {
    self.kind = kind
    self.isDistinct = isDistinct
    argument = arguments.first?.plan
    argumentType = arguments.first?.type ?? .null
    var fraction = 0.5
    var separator = ","
    if arguments.count > 1 {
      let second = arguments[1]
      if kind == .stringAgg {
        guard let text = second.scalar?.text else {
          throw SyntaxMistake("the separator must be a constant text", at: second.offset)
        }
        separator = text
      } else {
        switch second.scalar {
        case .int(let value)?: fraction = Double(value)
        case .decimal(let value)?: fraction = value.double
        case .double(let value)?: fraction = value
        default: fraction = -1
        }
        guard (0...1).contains(fraction) else {
          throw SyntaxMistake(
            "the fraction must be a constant from 0 to 1", at: second.offset,
            hint: "for example: quantile(x, 0.9)")
        }
      }
    }
    self.fraction = fraction
    self.separator = Array(separator.utf8)
  }

  var resultType: ExpressionType {
    switch kind {
    case .count, .countIf: .int
    case .sum: argumentType == .double || argumentType == .decimal ? .double : .number
    case .mean, .median, .quantile, .quantileContinuous, .deviation, .deviationOfAll, .variance,
      .varianceOfAll, .product:
      .double
    case .min, .max, .first, .last, .anyValue, .mode:
      argumentType == .decimal ? .double : argumentType
    case .list: .json
    case .stringAgg: .text
    case .boolAnd, .boolOr: .bool
    }
  }

  func makeState() -> any GroupState {
    switch kind {
    case .count: CountState(skipsNulls: argument != nil)
    case .countIf: ConditionState(.count)
    case .boolAnd: ConditionState(.and)
    case .boolOr: ConditionState(.or)
    case .sum: SumState(isMean: false)
    case .mean: SumState(isMean: true)
    case .product: MomentState(.product)
    case .deviation: MomentState(.deviation)
    case .deviationOfAll: MomentState(.deviationOfAll)
    case .variance: MomentState(.variance)
    case .varianceOfAll: MomentState(.varianceOfAll)
    case .median: QuantileState(fraction: 0.5, isContinuous: true)
    case .quantile: QuantileState(fraction: fraction, isContinuous: false)
    case .quantileContinuous: QuantileState(fraction: fraction, isContinuous: true)
    case .min: PickState(.min)
    case .max: PickState(.max)
    case .first: PickState(.first)
    case .last: PickState(.last)
    case .anyValue: PickState(.any)
    case .mode: ModeState()
    case .list: JoinState(separator: nil)
    case .stringAgg: JoinState(separator: separator)
    }
  }
}
