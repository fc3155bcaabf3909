internal import AggregateCore
internal import AggregateExpressions

/// One computed column of a window.
struct WindowColumn: Sendable {
  let name: String
  let function: WindowFunction
  let argument: Expression?
  /// How many rows before or behind.
  let distance: Int

  init?(_ name: String, _ expression: Expression, _ diagnostics: inout Diagnostics) {
    let names = WindowFunction.allCases.map(\.rawValue)
    guard let call = expression.call,
      let function = WindowFunction(rawValue: call.name.lowercased())
    else {
      diagnostics.error(
        "window-function", "“\(expression.source.text)” is not a window function",
        at: expression.source.location,
        hint: expression.call.map { Suggestions.hint(for: $0.name, in: names) }
          ?? "write one call, such as lag(temp) or sum(rain)")
      return nil
    }
    self.name = name
    self.function = function
    argument = call.arguments.first
    let takesDistance = function == .lag || function == .lead
    var distance = 1
    var isWrong = argument == nil && function.needsArgument
    if call.arguments.count == 2, takesDistance {
      let empty = Batch(schema: Schema([]), columns: [], rowCount: 1)
      let value = try? call.arguments[1].bind(empty.schema)
        .evaluate(empty, into: name, log: .silent).value(at: 0)
      switch value {
      case .int(let number)? where number >= 0: distance = Int(number)
      case .number(let text)?: distance = Int(text) ?? -1
      default: distance = -1
      }
      isWrong = isWrong || distance < 0
    } else if call.arguments.count > 1 {
      isWrong = true
    }
    self.distance = distance
    if isWrong {
      diagnostics.error(
        "window-arguments", "“\(expression.source.text)” has the wrong arguments",
        at: expression.source.location,
        hint: takesDistance
          ? "write \(function.rawValue)(column) or \(function.rawValue)(column, 2)"
          : function.needsArgument
            ? "write \(function.rawValue)(column)" : "write \(function.rawValue)()")
      return nil
    }
  }
}
