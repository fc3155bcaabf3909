import AggregateCore

/// `CAST`, `::` and `TRY_CAST`.
enum Casting {
  static func bound(
    _ value: Bound, _ target: CastTarget, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let type = Self.type(target)
    let from = value.type
    let isWrong =
      (from.isTime && (type.isNumeric || type == .bool))
      || (type.isTime && (from.isNumeric || from == .bool)) || (from == .interval && type != .text)
    if isWrong {
      throw SyntaxMistake(
        "\(from.shown) cannot be cast to \(name(target))", at: offset,
        hint: from.isTime ? "epoch(x) gives seconds" : "to_timestamp(x) reads epoch seconds",
        code: "type")
    }
    if case .decimal(let exact)? = value.scalar {
      switch target {
      case .text: return .constant(.text(exact.description), at: offset)
      case .int:
        if let whole = Int64(exactly: exact.rounded(0).unscaled) {
          return .constant(.int(whole), at: offset)
        }
      case .decimal(let scale): return .constant(.decimal(exact.rounded(scale)), at: offset)
      default: break
      }
    }
    let kernel: Kernel
    if case .decimal(let scale) = target {
      kernel = { arguments, frame in
        let vector = frame.doubles(arguments[0])
        return .doubles(
          Vector(vector.values.map { NumberFunctions.round($0, scale) }, nulls: vector.nulls))
      }
    } else if target == .json {
      kernel = NestedFunctions.asJSON(from)
    } else {
      kernel = { $1.converted($0[0], to: type) }
    }
    let bound = Bound(plan: .apply(kernel, [value.plan]), type: type, offset: offset)
    return value.scalar == nil ? bound : Folding.folded(bound)
  }

  private static func type(_ target: CastTarget) -> ExpressionType {
    switch target {
    case .int: .int
    case .double, .decimal: .double
    case .bool: .bool
    case .text: .text
    case .date: .date
    case .instant: .instant
    case .json: .json
    }
  }

  private static func name(_ target: CastTarget) -> String {
    switch target {
    case .int: "bigint"
    case .double: "double"
    case .decimal: "decimal"
    case .bool: "boolean"
    case .text: "varchar"
    case .date: "date"
    case .instant: "timestamp"
    case .json: "json"
    }
  }
}
