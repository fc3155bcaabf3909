import AggregateCore

/// Calls of functions and aggregates.
extension Binder {
  mutating func call(
    _ name: String, _ arguments: [Syntax], isDistinct: Bool, isStar: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    if let kind = AggregateKind.named(name) {
      if aggregates != nil {
        return try aggregate(kind, name, arguments, isDistinct, isStar, at: offset)
      }
      if isInsideAggregate {
        throw SyntaxMistake("aggregates cannot be nested", at: offset, code: "aggregate")
      }
      throw SyntaxMistake(
        "“\(name)” is an aggregate of several rows", at: offset,
        hint: "use it in group, pivot or window", code: "aggregate")
    }
    if isStar || isDistinct {
      throw SyntaxMistake("“\(name)” takes neither * nor distinct", at: offset)
    }
    let spec = Functions.byName[name]
    guard spec != nil || Functions.lazy.contains(name) else {
      let near = Suggestions.nearest(to: name, in: Functions.names).first
      throw SyntaxMistake(
        "there is no function “\(name)”", at: offset,
        hint: near.map { "did you mean “\($0)”?" } ?? "“aggregate list functions” lists them",
        code: "unknown-function")
    }
    var bound: [Bound] = []
    for argument in arguments { bound.append(try bind(argument)) }
    if let spec { return try function(spec, name, bound, at: offset) }
    return try lazy(name, bound, at: offset)
  }

  mutating func aggregate(
    _ kind: AggregateKind, _ name: String, _ arguments: [Syntax], _ isDistinct: Bool,
    _ isStar: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    var inner = Binder(names)
    inner.isInsideAggregate = true
    var bound: [Bound] = []
    for argument in arguments { bound.append(try inner.bind(argument)) }
    inner.references.forEach { note($0) }
    if isStar && kind != .count {
      throw SyntaxMistake("“\(name)” does not take *", at: offset, hint: "only count(*) does")
    }
    try count(name, bound, kind.arity, "\(name)(\(kind.parameters))", at: offset)
    if kind.takesNumbers, let first = bound.first,
      !(first.type.isNumeric || first.type.isOpen || first.type == .null || first.type == .bool)
    {
      throw SyntaxMistake(
        "“\(name)” takes numbers, not \(first.type.shown)", at: first.offset,
        hint: first.type == .text ? "cast it: try_cast(x as double)" : nil, code: "type")
    }
    if (kind == .boolAnd || kind == .boolOr || kind == .countIf), let first = bound.first,
      !ParameterType.bool.accepts(first.type)
    {
      throw SyntaxMistake(
        "“\(name)” takes a condition, not \(first.type.shown)", at: first.offset, code: "type")
    }
    let call = try AggregateCall(kind, bound, isDistinct: isDistinct)
    let index = aggregates?.count ?? 0
    aggregates?.append(call)
    return Bound(
      plan: .column(ColumnReference(index: index)), type: call.resultType, offset: offset)
  }

  func count(
    _ name: String, _ arguments: [Bound], _ range: ClosedRange<Int>, _ signature: String,
    at offset: Int
  ) throws(SyntaxMistake) {
    if range.contains(arguments.count) { return }
    let wanted =
      range.upperBound >= 1000
      ? "at least \(range.lowerBound)"
      : range.lowerBound == range.upperBound
        ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    throw SyntaxMistake(
      "“\(name)” takes \(wanted) argument\(wanted == "1" ? "" : "s"), not \(arguments.count)",
      at: offset, hint: "write \(signature)", code: "arguments")
  }

  func function(
    _ spec: FunctionSpec, _ name: String, _ bound: [Bound], at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    try count(name, bound, spec.arity, spec.signature, at: offset)
    var arguments: [Bound] = []
    for (index, argument) in bound.enumerated() {
      arguments.append(try fitted(argument, spec.parameter(index), name))
    }
    if name == "round", let rounded = Folding.rounded(arguments) {
      return .constant(rounded, at: offset)
    }
    let call = FunctionSpec.Call(types: arguments.map(\.type), constants: arguments.map(\.scalar))
    do {
      let kernel = try spec.make(call)
      return folded(kernel, arguments, spec.type(call), at: offset)
    } catch {
      let place = error.index < arguments.count ? arguments[error.index].offset : offset
      throw SyntaxMistake(error.message, at: place, hint: error.hint, code: "arguments")
    }
  }

  /// `bound` as an argument, with constant text read as what is wanted.
  func fitted(
    _ bound: Bound, _ type: ParameterType, _ name: String
  ) throws(SyntaxMistake) -> Bound {
    if case .text? = bound.scalar {
      switch type {
      case .int, .number: return try read(bound, for: numberSide)
      case .time: return try read(bound, for: .constant(.instant(Instant(microseconds: 0)), at: 0))
      default: break
      }
    }
    if type.accepts(bound.type) { return bound }
    throw SyntaxMistake(
      "“\(name)” takes \(type.shown) here, not \(bound.type.shown)", at: bound.offset,
      hint: type == .time
        ? "cast it: x::timestamp" : bound.type == .text ? "cast it: x::double" : nil, code: "type")
  }

  func lazy(
    _ name: String, _ arguments: [Bound], at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let type = arguments.map(\.type).reduce(.null, ExpressionType.unified)
    let isConstant = arguments.allSatisfy { $0.scalar != nil }
    func whole(_ plan: Plan, _ type: ExpressionType) -> Bound {
      let bound = Bound(plan: plan, type: type, offset: offset)
      return isConstant ? Folding.folded(bound) : bound
    }
    switch name {
    case "coalesce", "ifnull":
      try count(
        name, arguments, name == "ifnull" ? 2...2 : 1...1000, "\(name)(a, b)", at: offset)
      return whole(.coalesce(arguments.map(\.plan), type), type)
    case "if", "iff":
      try count(name, arguments, 3...3, "\(name)(condition, then, else)", at: offset)
      guard ParameterType.bool.accepts(arguments[0].type) else {
        throw SyntaxMistake(
          "a condition is true or false, but this is \(arguments[0].type.shown)",
          at: arguments[0].offset, code: "type")
      }
      return chosen([arguments[0]], [arguments[1]], arguments[2], at: offset)
    case "nullif":
      try count(name, arguments, 2...2, "nullif(a, b)", at: offset)
      let equal = try compared("=", arguments[0], arguments[1], at: offset)
      return chosen(
        [equal], [.constant(.null, at: offset)], arguments[0], at: offset)
    case "try":
      try count(name, arguments, 1...1, "try(x)", at: offset)
      return quiet(arguments[0])
    default:
      try count(name, arguments, 1...1000, "\(name)(a, b, …)", at: offset)
      let wanted: UInt8 = name == "greatest" ? 2 : 0
      if type == .decimal || type == .double, isConstant {
        return whole(.apply(Comparing.extreme(wanted, .double), arguments.map(\.plan)), .double)
      }
      return whole(.apply(Comparing.extreme(wanted, type), arguments.map(\.plan)), type)
    }
  }

  /// A call of `kernel`, computed at once when all arguments are constants.
  func folded(
    _ kernel: @escaping Kernel, _ arguments: [Bound], _ type: ExpressionType, at offset: Int
  ) -> Bound {
    let bound = Bound(plan: .apply(kernel, arguments.map(\.plan)), type: type, offset: offset)
    return arguments.allSatisfy { $0.scalar != nil } ? Folding.folded(bound) : bound
  }
}
