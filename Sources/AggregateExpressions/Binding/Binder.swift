import AggregateCore

/// Turns syntax into a plan for one schema, checking names, arguments and types.
struct Binder {
  let names: Names
  private(set) var references: [ColumnReference] = []
  /// The aggregates found so far, when names may stand only inside of such; nil elsewhere.
  private(set) var aggregates: [AggregateCall]?
  private var isInsideAggregate = false

  init(_ names: Names, findsAggregates: Bool = false) {
    self.names = names
    if findsAggregates { aggregates = [] }
  }

  mutating func bind(_ syntax: Syntax) throws(SyntaxMistake) -> Bound {
    let offset = syntax.offset
    switch syntax.kind {
    case .constant(let value): return .constant(value, at: offset)
    case .name(let path, let isQuoted): return try column(path, isQuoted: isQuoted, at: offset)
    case .unary(_, let operand): return try negated(operand, at: offset)
    case .binary(let symbol, let a, let b):
      let left = try bind(a)
      let right = try bind(b)
      return try binary(symbol, left, right, at: offset)
    case .not(let operand):
      let inner = try condition(operand)
      return folded(Logic.not, [inner], .bool, at: offset)
    case .all(let parts): return try logical(parts, isAll: true, at: offset)
    case .any(let parts): return try logical(parts, isAll: false, at: offset)
    case .isValue(let operand, let truth, let negated):
      let inner =
        if case .known = truth { try condition(operand) } else { try bind(operand) }
      return folded(Logic.isValue(truth, negated: negated), [inner], .bool, at: offset)
    case .isDistinct(let a, let b, let negated):
      let (left, right) = try comparable(try bind(a), try bind(b), at: offset)
      return folded(
        Comparing.distinct(left.type, right.type, negated: negated), [left, right], .bool,
        at: offset)
    case .between(let value, let low, let high, let negated):
      let inner = try bind(value)
      let both = [
        try compared(">=", inner, try bind(low), at: offset),
        try compared("<=", inner, try bind(high), at: offset),
      ]
      return negation(Self.combined(both, isAll: true, at: offset), negated)
    case .contained(let value, let choices, let negated):
      return try contained(value, choices, negated: negated, at: offset)
    case .like(let value, let pattern, let escape, let ignoresCase, let negated):
      return try like(value, pattern, escape, ignoresCase, negated: negated, at: offset)
    case .choice(let operand, let branches, let otherwise):
      return try choice(operand, branches, otherwise, at: offset)
    case .cast(let value, let target, let isTry):
      let bound = try Casting.bound(try bind(value), target, at: offset)
      return isTry ? quiet(bound) : bound
    case .call(let name, let arguments, let isDistinct, let isStar):
      return try call(name, arguments, isDistinct: isDistinct, isStar: isStar, at: offset)
    case .element(let base, let index): return try element(base, index, syntax)
    case .member(let base, let name): return try member(base, name, syntax)
    case .interval(let amount, let unit): return try interval(amount, unit, at: offset)
    }
  }

  // MARK: Names

  private mutating func column(
    _ path: [String], isQuoted: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    do {
      let (reference, type) = try names.resolve(path)
      if aggregates != nil {
        throw SyntaxMistake(
          "“\(path.joined(separator: "."))” is neither grouped nor aggregated", at: offset,
          hint: "take first(…), max(…) or another aggregate of it", code: "aggregate")
      }
      note(reference)
      if let nested = names.nested(path, besides: reference) {
        note(nested)
        let whole = ColumnReference(index: nested.index)
        return Bound(
          plan: .apply(
            NestedAccess.nestedOrFlat, [.column(whole), .column(nested), .column(reference)]),
          type: .any, offset: offset)
      }
      return Bound(plan: .column(reference), type: type, offset: offset)
    } catch let error as ColumnLookupError {
      var hint = error.hint
      if isQuoted, case .unknown(_, let near, _) = error, near.isEmpty {
        hint = "text is written in single quotes: '\(path[0])'"
      }
      throw SyntaxMistake(error.message, at: offset, hint: hint, code: "unknown-column")
    } catch let mistake as SyntaxMistake {
      throw mistake
    } catch {
      throw SyntaxMistake("\(error)", at: offset)
    }
  }

  private mutating func note(_ reference: ColumnReference) {
    if !references.contains(reference) { references.append(reference) }
  }

  /// The path that names, members and constant list positions spell out.
  private func path(_ syntax: Syntax) -> [String]? {
    switch syntax.kind {
    case .name(let path, _): return path
    case .member(let base, let name): return path(base).map { $0 + [name] }
    case .element(let base, let index):
      guard case .constant(let scalar) = index.kind, let outer = path(base) else { return nil }
      switch scalar {
      case .int(let position) where position >= 1: return outer + [String(position - 1)]
      case .text(let key): return outer + [key]
      default: return nil
      }
    default: return nil
    }
  }

  private mutating func element(
    _ base: Syntax, _ index: Syntax, _ whole: Syntax
  ) throws(SyntaxMistake) -> Bound {
    if let path = path(whole) { return try column(path, isQuoted: false, at: base.offset) }
    let list = try bind(base)
    let position = try bind(index)
    if !list.type.isOpen && list.type != .null && list.type != .text {
      throw SyntaxMistake("\(list.type.shown) has no elements", at: whole.offset)
    }
    return folded(NestedFunctions.element, [list, position], .any, at: whole.offset)
  }

  private mutating func member(
    _ base: Syntax, _ name: String, _ whole: Syntax
  ) throws(SyntaxMistake) -> Bound {
    if let path = path(whole) { return try column(path, isQuoted: false, at: base.offset) }
    let outer = try bind(base)
    if !outer.type.isOpen && outer.type != .null {
      throw SyntaxMistake("\(outer.type.shown) has no members", at: whole.offset)
    }
    return folded(
      NestedFunctions.member, [outer, .constant(.text(name), at: whole.offset)], .any,
      at: whole.offset)
  }

  // MARK: Conditions

  /// `syntax` as a condition, which must be able to be true or false.
  mutating func condition(_ syntax: Syntax) throws(SyntaxMistake) -> Bound {
    let bound = try bind(syntax)
    switch bound.type {
    case .bool, .null, .any, .json, .int, .number, .double, .decimal: return bound
    case .text, .instant, .date, .interval:
      throw SyntaxMistake(
        "a condition is true or false, but this is \(bound.type.shown)", at: bound.offset,
        hint: bound.scalar == nil ? "compare it with something" : nil, code: "type")
    }
  }

  private mutating func logical(
    _ parts: [Syntax], isAll: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    var bound: [Bound] = []
    for part in parts { bound.append(try condition(part)) }
    return Self.combined(bound, isAll: isAll, at: offset)
  }

  private static func combined(_ parts: [Bound], isAll: Bool, at offset: Int) -> Bound {
    let plans = parts.map(\.plan)
    let bound = Bound(plan: isAll ? .all(plans) : .any(plans), type: .bool, offset: offset)
    return parts.allSatisfy { $0.scalar != nil } ? Folding.folded(bound) : bound
  }

  private func negation(_ bound: Bound, _ negated: Bool) -> Bound {
    negated ? folded(Logic.not, [bound], .bool, at: bound.offset) : bound
  }

  private mutating func contained(
    _ value: Syntax, _ choices: [Syntax], negated: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let inner = try bind(value)
    var bound: [Bound] = []
    for choice in choices { bound.append(try bind(choice)) }
    let scalars = bound.compactMap(\.scalar)
    if scalars.count == bound.count, bound.count > 2, !inner.type.isTime, inner.type != .bool,
      let set = ConstantSet(scalars),
      !(inner.type == .text && scalars.contains { $0.type.isNumeric }),
      !(inner.type.isNumeric && scalars.contains { $0.type == .text })
    {
      return negation(
        folded({ set.evaluate($0[0], $1) }, [inner], .bool, at: offset), negated)
    }
    var parts: [Bound] = []
    for choice in bound { parts.append(try compared("=", inner, choice, at: offset)) }
    return negation(Self.combined(parts, isAll: false, at: offset), negated)
  }

  private mutating func like(
    _ value: Syntax, _ pattern: Syntax, _ escape: Syntax?, _ ignoresCase: Bool, negated: Bool,
    at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let text = try bind(value)
    let wanted = try bind(pattern)
    var escapeByte: UInt8?
    if let escape {
      guard case .constant(.text(let character)) = escape.kind, character.utf8.count <= 1 else {
        throw SyntaxMistake("ESCAPE takes one character", at: escape.offset)
      }
      escapeByte = character.utf8.first
    }
    if let constant = wanted.scalar, let text = constant.text,
      LikePattern(text, escape: escapeByte, ignoresCase: false) == nil
    {
      throw SyntaxMistake("the pattern ends with its escape character", at: wanted.offset)
    }
    let kernel = Logic.like(wanted.scalar, escapeByte, ignoresCase)
    return negation(folded(kernel, [text, wanted], .bool, at: offset), negated)
  }

  private mutating func choice(
    _ operand: Syntax?, _ branches: [Syntax.Branch], _ otherwise: Syntax?, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let subject = if let operand { try bind(operand) } else { nil as Bound? }
    var conditions: [Bound] = []
    var values: [Bound] = []
    for branch in branches {
      if let subject {
        conditions.append(
          try compared("=", subject, try bind(branch.condition), at: branch.condition.offset))
      } else {
        conditions.append(try condition(branch.condition))
      }
      values.append(try bind(branch.value))
    }
    let last = if let otherwise { try bind(otherwise) } else { Bound.constant(.null, at: offset) }
    return chosen(conditions, values, last, at: offset)
  }

  private func chosen(
    _ conditions: [Bound], _ values: [Bound], _ otherwise: Bound, at offset: Int
  ) -> Bound {
    let type = (values + [otherwise]).map(\.type).reduce(.null, ExpressionType.unified)
    let branches = zip(conditions, values).map { Plan.Branch(condition: $0.plan, value: $1.plan) }
    let bound = Bound(
      plan: .choose(branches, otherwise: otherwise.plan, type), type: type, offset: offset)
    return (conditions + values + [otherwise]).allSatisfy { $0.scalar != nil }
      ? Folding.folded(bound) : bound
  }

  private func quiet(_ bound: Bound) -> Bound {
    if bound.scalar != nil { return bound }
    return Folding.folded(Bound(plan: .quiet(bound.plan), type: bound.type, offset: bound.offset))
  }

  // MARK: Comparisons

  func compared(
    _ symbol: String, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    guard let comparison = Comparison.named(symbol) else {
      throw SyntaxMistake("“\(symbol)” is no comparison", at: offset)
    }
    if let x = a.scalar?.exact, let y = b.scalar?.exact, let order = ExactDecimal.compare(x, y) {
      return .constant(.bool(comparison.holds(Order(order, 0))), at: offset)
    }
    let (left, right) = try comparable(a, b, at: offset)
    return folded(
      Comparing.kernel(comparison, left.type, right.type), [left, right], .bool, at: offset)
  }

  /// Both sides with text constants read as what the other side is.
  private func comparable(
    _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> (Bound, Bound) {
    let left = try read(a, for: b)
    let right = try read(b, for: a)
    let kinds = [left.type, right.type]
    if kinds.contains(where: \.isTime), kinds.contains(where: { $0.isNumeric || $0 == .bool }) {
      throw SyntaxMistake(
        "\(left.type.shown) cannot be compared with \(right.type.shown)", at: offset, code: "type")
    }
    return (left, right)
  }

  private func read(_ bound: Bound, for other: Bound) throws(SyntaxMistake) -> Bound {
    guard case .text(let text)? = bound.scalar else { return bound }
    let bytes = ByteBuffer(text)
    if other.type.isNumeric {
      switch bytes.withUnsafeBytes({ NumberReader.loose($0) }) {
      case .int(let value): return .constant(.int(value), at: bound.offset)
      case .double(let value): return .constant(.double(value), at: bound.offset)
      case nil:
        throw SyntaxMistake(
          "'\(text)' does not read as a number", at: bound.offset, code: "type")
      }
    }
    if other.type.isTime {
      guard let found = bytes.withUnsafeBytes({ InstantParser.any($0) }),
        let instant = found.instant(zone: .utc)
      else {
        throw SyntaxMistake(
          "'\(text)' does not read as a time", at: bound.offset,
          hint: "for example: '2024-03-05' or '2024-03-05T10:20:30Z'", code: "type")
      }
      return .constant(found.isDateOnly ? .date(found.date) : .instant(instant), at: bound.offset)
    }
    return bound
  }

  // MARK: Arithmetic

  private mutating func negated(
    _ operand: Syntax, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    let inner = try bind(operand)
    switch inner.scalar {
    case .int(let value)? where value != .min: return .constant(.int(-value), at: offset)
    case .decimal(let value)?:
      return .constant(.decimal(ExactDecimal(-value.unscaled, scale: value.scale)), at: offset)
    default: break
    }
    guard
      inner.type.isNumeric || inner.type.isOpen || inner.type == .interval || inner.type == .null
    else {
      throw SyntaxMistake("\(inner.type.shown) has no negative", at: offset, code: "type")
    }
    let type = inner.type.isOpen ? .number : inner.type == .decimal ? .double : inner.type
    return folded(Arithmetic.negated(inner.type), [inner], type, at: offset)
  }

  func binary(
    _ symbol: String, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    if Comparison.named(symbol) != nil { return try compared(symbol, a, b, at: offset) }
    switch symbol {
    case "||": return folded(Logic.concatenation, [a, b], .text, at: offset)
    case "->", "->>":
      return try NestedFunctions.arrow(a, b, asText: symbol == "->>", at: offset)
    default: break
    }
    guard let op = Arithmetic.Operator(rawValue: symbol) else {
      throw SyntaxMistake("“\(symbol)” is no operator", at: offset)
    }
    if let x = a.scalar?.exact, let y = b.scalar?.exact, let value = Folding.exact(op, x, y) {
      return .constant(value, at: offset)
    }
    if let bound = try timeArithmetic(op, a, b, at: offset) { return bound }
    var sides: [Bound] = []
    for side in [a, b] {
      if case .text? = side.scalar {
        sides.append(try read(side, for: numberSide))
      } else {
        sides.append(side)
      }
    }
    for side in sides {
      if side.type.isNumeric || side.type.isOpen || side.type == .null { continue }
      throw SyntaxMistake(
        "“\(symbol)” takes numbers, but this is \(side.type.shown)", at: side.offset,
        hint: side.type == .text ? "cast it: x::double, or join text with ||" : nil, code: "type")
    }
    let type = Arithmetic.type(op, sides[0].type, sides[1].type)
    return folded(
      Arithmetic.kernel(op, sides[0].type, sides[1].type), sides,
      sides.contains { $0.type == .null } && type == .number ? .null : type, at: offset)
  }

  private var numberSide: Bound { .constant(.int(0), at: 0) }

  private func timeArithmetic(
    _ op: Arithmetic.Operator, _ a: Bound, _ b: Bound, at offset: Int
  ) throws(SyntaxMistake) -> Bound? {
    let (x, y) = (a.type, b.type)
    guard x.isTime || y.isTime || x == .interval || y == .interval else { return nil }
    switch op {
    case .add, .subtract:
      let isMinus = op == .subtract
      if x == .interval && y == .interval {
        return folded(TimeArithmetic.intervalSum(isMinus), [a, b], .interval, at: offset)
      }
      if y == .interval, x != .bool, !x.isNumeric {
        return folded(Arithmetic.moved(negated: isMinus), [a, b], .instant, at: offset)
      }
      if x == .interval, !isMinus {
        return folded(Arithmetic.moved(negated: false), [b, a], .instant, at: offset)
      }
      if x == .date, y.isNumeric || y.isOpen {
        return folded(Arithmetic.dayMoved(negated: isMinus), [a, b], .date, at: offset)
      }
      if y == .date, !isMinus, x.isNumeric {
        return folded(Arithmetic.dayMoved(negated: false), [b, a], .date, at: offset)
      }
      if isMinus, x == .date || x == .text || x.isOpen, y == .date {
        return folded(TimeArithmetic.days, [a, b], .int, at: offset)
      }
      if isMinus, x.isTime || x.isOpen || x == .text, y.isTime || y.isOpen || y == .text {
        return folded(TimeArithmetic.difference, [a, b], .interval, at: offset)
      }
      if x == .null || y == .null { return .constant(.null, at: offset) }
    case .multiply:
      if x == .interval, y.isNumeric || y.isOpen {
        return folded(TimeArithmetic.scaled, [a, b], .interval, at: offset)
      }
      if y == .interval, x.isNumeric || x.isOpen {
        return folded(TimeArithmetic.scaled, [b, a], .interval, at: offset)
      }
    default: break
    }
    throw SyntaxMistake(
      "“\(op.rawValue)” does not take \(x.shown) and \(y.shown)", at: offset,
      hint: x.isTime || y.isTime ? "add or subtract an interval: t + interval 1 day" : nil,
      code: "type")
  }

  private mutating func interval(
    _ amount: Syntax, _ unit: String, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    var inner = try bind(amount)
    if case .text? = inner.scalar { inner = try read(inner, for: numberSide) }
    guard inner.type.isNumeric || inner.type.isOpen || inner.type == .null else {
      throw SyntaxMistake("an interval takes a number", at: amount.offset, code: "type")
    }
    return folded(TimeArithmetic.interval(unit), [inner], .interval, at: offset)
  }

  // MARK: Calls

  private mutating func call(
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

  private mutating func aggregate(
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

  private func count(
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

  private func function(
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
  private func fitted(
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

  private func lazy(
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
