import AggregateCore

/// Computes what does not depend on rows when the expression is compiled.
enum Folding {
  private static let oneRow = Batch(schema: Schema([]), columns: [], rowCount: 1)

  /// `bound` as a constant, unless computing it loses a value: then each row shall count the loss.
  static func folded(_ bound: Bound) -> Bound {
    if case .constant = bound.plan { return bound }
    if !isConstant(bound.plan) { return bound }
    let losses = Losses()
    let frame = Frame(oneRow, losses: losses)
    let operand = bound.plan.evaluate(frame)
    guard losses.isEmpty else { return bound }
    return Bound(
      plan: .constant(scalar(operand, bound.type)), type: bound.type, offset: bound.offset)
  }

  private static func isConstant(_ plan: Plan) -> Bool {
    switch plan {
    case .constant: true
    case .column: false
    case .apply(_, let parts), .all(let parts), .any(let parts), .coalesce(let parts, _):
      parts.allSatisfy(isConstant)
    case .choose(let branches, let otherwise, _):
      branches.allSatisfy { isConstant($0.condition) && isConstant($0.value) }
        && isConstant(otherwise)
    case .quiet(let inner): isConstant(inner)
    }
  }

  private static func scalar(_ operand: Operand, _ type: ExpressionType) -> Scalar {
    if case .constant(let scalar) = operand { return scalar }
    if case .intervals(let vector) = operand { return vector[0].map { .interval($0) } ?? .null }
    switch operand.column(count: 1).value(at: 0) {
    case .absent, .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    case .double(let value): return .double(value)
    case .number(let text): return Int64(text).map { .int($0) } ?? .double(Double(text) ?? .nan)
    case .text(let value): return .text(value)
    case .instant(let value): return .instant(value)
    case .date(let value): return .date(value)
    case .json(let value): return .json(value)
    }
  }

  /// Exact arithmetic on literals; nil when it is left to the kernels.
  static func exact(
    _ op: Arithmetic.Operator, _ a: ExactDecimal, _ b: ExactDecimal
  ) -> Scalar? {
    guard a.scale > 0 || b.scale > 0 else { return nil }
    let result: ExactDecimal? =
      switch op {
      case .add: ExactDecimal.sum(a, b)
      case .subtract: ExactDecimal.sum(a, b, negated: true)
      case .multiply: ExactDecimal.product(a, b)
      case .remainder: ExactDecimal.remainder(a, b)
      case .divide, .quotient: nil
      }
    return result.map { .decimal($0) }
  }

  /// `round` of a literal.
  static func rounded(_ arguments: [Bound]) -> Scalar? {
    guard case .decimal(let value)? = arguments.first?.scalar else { return nil }
    guard arguments.count > 1 else { return .decimal(value.rounded(0)) }
    guard case .int(let digits)? = arguments[1].scalar, digits.magnitude < 36 else { return nil }
    return .decimal(value.rounded(Int(digits)))
  }
}

extension Scalar {
  /// The exact value of an integer or a decimal literal.
  var exact: ExactDecimal? {
    switch self {
    case .int(let value): ExactDecimal(value)
    case .decimal(let value): value
    default: nil
    }
  }
}
