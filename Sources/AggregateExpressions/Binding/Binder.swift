import AggregateCore

/// Turns syntax into a plan for one schema, checking names, arguments and types.
struct Binder {
  let names: Names
  private(set) var references: [ColumnReference] = []
  /// The aggregates found so far, when names may stand only inside of such; nil elsewhere.
  var aggregates: [AggregateCall]?
  var isInsideAggregate = false

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

  mutating func column(
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

  mutating func note(_ reference: ColumnReference) {
    if !references.contains(reference) { references.append(reference) }
  }

  /// The path that names, members and constant list positions spell out.
  func path(_ syntax: Syntax) -> [String]? {
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

  mutating func element(
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

  mutating func member(
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

  mutating func logical(
    _ parts: [Syntax], isAll: Bool, at offset: Int
  ) throws(SyntaxMistake) -> Bound {
    var bound: [Bound] = []
    for part in parts { bound.append(try condition(part)) }
    return Self.combined(bound, isAll: isAll, at: offset)
  }

  static func combined(_ parts: [Bound], isAll: Bool, at offset: Int) -> Bound {
    let plans = parts.map(\.plan)
    let bound = Bound(plan: isAll ? .all(plans) : .any(plans), type: .bool, offset: offset)
    return parts.allSatisfy { $0.scalar != nil } ? Folding.folded(bound) : bound
  }

  func negation(_ bound: Bound, _ negated: Bool) -> Bound {
    negated ? folded(Logic.not, [bound], .bool, at: bound.offset) : bound
  }

  mutating func contained(
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

  mutating func like(
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

  mutating func choice(
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

  func chosen(
    _ conditions: [Bound], _ values: [Bound], _ otherwise: Bound, at offset: Int
  ) -> Bound {
    let type = (values + [otherwise]).map(\.type).reduce(.null, ExpressionType.unified)
    let branches = zip(conditions, values).map { Plan.Branch(condition: $0.plan, value: $1.plan) }
    let bound = Bound(
      plan: .choose(branches, otherwise: otherwise.plan, type), type: type, offset: offset)
    return (conditions + values + [otherwise]).allSatisfy { $0.scalar != nil }
      ? Folding.folded(bound) : bound
  }

  func quiet(_ bound: Bound) -> Bound {
    if bound.scalar != nil { return bound }
    return Folding.folded(Bound(plan: .quiet(bound.plan), type: bound.type, offset: bound.offset))
  }
}
