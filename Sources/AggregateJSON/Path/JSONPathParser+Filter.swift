internal import AggregateCore
internal import AggregateRegex

extension JSONPathParser {
  /// A logical expression.
  mutating func filter() throws(JSONPathError) -> PathFilter {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error("filters nest deeper than \(Self.deepest) levels")
    }
    var alternatives = [try conjunction()]
    while takeOperator("||") { alternatives.append(try conjunction()) }
    return alternatives.count == 1 ? alternatives[0] : .or(alternatives)
  }

  private mutating func conjunction() throws(JSONPathError) -> PathFilter {
    var parts = [try basic()]
    while takeOperator("&&") { parts.append(try basic()) }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  /// An operator with white space around it; leaves the position as it was when it is not there.
  private mutating func takeOperator(_ word: String) -> Bool {
    let before = position
    space()
    if take(word) {
      space()
      return true
    }
    position = before
    return false
  }

  private mutating func basic() throws(JSONPathError) -> PathFilter {
    if take("!") {
      space()
      if next == "(" { return .not(try parenthesized()) }
      let start = position
      let operand = try operand()
      if let comparison = comparisonAhead {
        throw error(
          "“!” cannot stand before a comparison with \(comparison.rawValue)", at: start,
          hint: "put the comparison in parentheses: !(…)")
      }
      return .not(try test(operand, at: start))
    }
    if next == "(" { return try parenthesized() }
    let start = position
    let left = try operand()
    space()
    guard let comparison = takeComparison() else {
      if next == "=" { throw error("“=” is not an operator", hint: "equality is ==") }
      return try test(left, at: start)
    }
    try requireValue(left, at: start)
    space()
    let rightStart = position
    let right = try operand()
    try requireValue(right, at: rightStart)
    return .compare(left, comparison, right)
  }

  private mutating func parenthesized() throws(JSONPathError) -> PathFilter {
    let start = position
    position += 1
    space()
    let inner = try filter()
    space()
    guard take(")") else {
      if next == nil { throw error("the “(” is not closed", at: start, hint: "add “)”") }
      throw error("expected “)”, but found \(found)")
    }
    return inner
  }

  private var comparisonAhead: PathComparison? {
    var copy = self
    copy.space()
    return copy.takeComparison()
  }

  private mutating func takeComparison() -> PathComparison? {
    for comparison in PathComparison.allCases where take(comparison.rawValue) { return comparison }
    return nil
  }

  /// An operand that stands alone must be a question: a query or a logical function.
  private func test(_ operand: PathOperand, at start: Int) throws(JSONPathError) -> PathFilter {
    switch operand {
    case .query(let query): return .exists(query)
    case .call(let call):
      guard call.function.result == .logical else {
        throw error(
          "the value of \(call.function.rawValue)() must be compared with something", at: start,
          hint: "such as \(call.function.rawValue)(…) > 1")
      }
      return .test(call)
    case .literal:
      throw error(
        "a literal alone is not a filter", at: start, hint: "compare it: @.name == 'value'")
    }
  }

  /// An operand of a comparison must have at most one value.
  private func requireValue(_ operand: PathOperand, at start: Int) throws(JSONPathError) {
    switch operand {
    case .literal: break
    case .query(let query):
      guard query.isSingular else {
        throw error(
          "a query that may give several nodes cannot be compared", at: start,
          hint: "use names and indexes only, or count(…) or value(…)")
      }
    case .call(let call):
      guard call.function.result == .value else {
        throw error(
          "\(call.function.rawValue)() is true or false already and cannot be compared", at: start,
          hint: "use it alone, or with ! before it")
      }
    }
  }

  private mutating func operand() throws(JSONPathError) -> PathOperand {
    switch next {
    case "@", "$": return .query(try innerQuery())
    case "'", "\"": return .literal(.text(try string()))
    case let scalar? where Self.isDigit(scalar) || scalar == "-": return .literal(try number())
    case let scalar? where Self.isNameFirst(scalar): return try wordOrCall()
    case nil: throw error("the filter ends too early", hint: "such as ?@.price < 10")
    default:
      throw error(
        "expected a value in the filter, but found \(found)",
        hint: "valid are @.name, $.name, 'text', 1.5, true, false, null and functions")
    }
  }

  private mutating func number() throws(JSONPathError) -> PathValue {
    let start = position
    _ = take("-")
    while let scalar = next {
      let isSign =
        (scalar == "+" || scalar == "-") && position > start
        && (text[position - 1] == "e" || text[position - 1] == "E")
      guard Self.isDigit(scalar) || scalar == "." || scalar == "e" || scalar == "E" || isSign
      else { break }
      position += 1
    }
    let written = String(String.UnicodeScalarView(text[start..<position]))
    guard let kind = NumberText.kind(written), let double = Double(written) else {
      throw error("“\(written)” is not a number", at: start, hint: "numbers are as in JSON")
    }
    if kind == .integer, let exact = Int64(written) { return .int(exact) }
    return .double(double)
  }

  private mutating func wordOrCall() throws(JSONPathError) -> PathOperand {
    let start = position
    while let scalar = next, Self.isNameFirst(scalar) || Self.isDigit(scalar) { position += 1 }
    let name = String(String.UnicodeScalarView(text[start..<position]))
    guard next == "(" else {
      switch name {
      case "true": return .literal(.bool(true))
      case "false": return .literal(.bool(false))
      case "null": return .literal(.null)
      default:
        throw error(
          "“\(name)” is not a value", at: start,
          hint: "a member is written @.\(name), a text '\(name)'")
      }
    }
    guard let function = PathFunction(rawValue: name) else {
      throw error(
        "there is no function “\(name)”", at: start,
        hint: Suggestions.hint(for: name, in: PathFunction.allCases.map(\.rawValue)))
    }
    return .call(try call(function, at: start))
  }

  private mutating func call(
    _ function: PathFunction, at start: Int
  ) throws(JSONPathError) -> PathCall {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw error("filters nest deeper than \(Self.deepest) levels")
    }
    position += 1
    space()
    var arguments: [(operand: PathOperand, start: Int)] = []
    if next != ")" {
      repeat {
        space()
        let place = position
        arguments.append((try operand(), place))
        space()
      } while take(",")
    }
    guard take(")") else {
      throw error("expected “,” or “)” in the call of \(function.rawValue), but found \(found)")
    }
    let wanted = function.parameters
    guard arguments.count == wanted.count else {
      throw error(
        "\(function.rawValue)() takes \(wanted.count == 1 ? "one argument" : "two arguments"), "
          + "but has \(arguments.count)", at: start)
    }
    for (argument, kind) in zip(arguments, wanted) {
      switch kind {
      case .value: try requireValue(argument.operand, at: argument.start)
      case .nodes, .logical:
        guard case .query = argument.operand else {
          throw error(
            "\(function.rawValue)() takes a query", at: argument.start, hint: "such as @.items[*]")
        }
      }
    }
    var call = PathCall(function: function, arguments: arguments.map(\.operand))
    if function == .match || function == .search, case .literal(let value) = arguments[1].operand {
      if case .text(let pattern) = value, let regex = InteroperableRegex.compiled(pattern) {
        call.pattern = .compiled(regex)
      } else {
        call.pattern = .invalid
      }
    }
    return call
  }
}
