internal import AggregateCore
internal import AggregateExpressions

/// Computes columns from rows before and behind.
struct WindowStage: Stage {
  static let spec = StageSpec(
    "window", "Compute columns from the rows before and behind, within a group and in an order.",
    options: [
      OptionSpec(
        "by", .list(of: .text, orSingle: true), "Columns whose values make a group.",
        example: "[city]"),
      OptionSpec(
        "sort", .list(of: .text, orSingle: true),
        "The order within a group; without it, the order in which rows come.", example: "[time]"),
      OptionSpec(
        "rows", .int(1...Int.max),
        "How many rows, the current one included, an aggregate looks back on; without it, all.",
        example: "7"),
      OptionSpec(
        "set", .map(of: ExpressionOption.shape, keys: "column"), required: true,
        "For each new column, the function that computes it.",
        example: "{ prev: lag(temp), running: sum(rain) }"),
    ],
    shorthand: .none,
    discussion: """
      Functions: lag(x, n) and lead(x, n), the value n rows before or behind (n is 1 when left out); \
      row_number(), rank() and dense_rank(); and, over the rows up to the current one, first, last, \
      count, sum, mean (or avg), min and max. Rows come out in the order in which they came in. \
      Past --max-memory, groups are worked on in parts on disk.
      """,
    example: "window: { by: [city], sort: [time], set: { prev: lag(temp), running: sum(rain) } }")

  private let by: [LocatedText]
  private let keys: [SortKey]
  private let frame: Int?
  private let columns: [WindowColumn]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    by = NameList.names(options, "by")
    keys = SortKey.keys(options, "sort")
    frame = options.int("rows")
    var columns: [WindowColumn] = []
    for entry in options.entries("set") ?? [] {
      guard let expression = ExpressionOption.parse(entry.value, &diagnostics) else { continue }
      if let column = WindowColumn(entry.key, expression, &diagnostics) { columns.append(column) }
    }
    self.columns = columns
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let by = try schema.resolve(self.by)
    let keys = try self.keys.map { try $0.resolve(in: schema) }
    let arguments = try columns.map { try $0.argument?.bind(schema) }
    var specs = schema.columns
    var places: [Int] = []
    var current = schema
    for (column, argument) in zip(columns, arguments) {
      let spec = ColumnSpec(column.name, column.function.type(of: argument?.type ?? .any))
      if let index = current.index(of: column.name) {
        specs[index] = spec
        places.append(index)
      } else {
        places.append(current.endOfOwnColumns)
        specs.insert(spec, at: current.endOfOwnColumns)
      }
      current = try current.replacing(specs, at: nil)
    }
    let plan = WindowPlan(
      input: schema, output: current, by: by, sort: keys.map(\.reference),
      descending: keys.map(\.descending), frame: frame, columns: columns, arguments: arguments,
      places: places, context: context)
    return .stream(output: plan.output) { WindowTransform(plan) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    var needed = try schema.resolve(by)
    needed += try keys.map { try $0.resolve(in: schema).reference }
    for column in columns { needed += try column.argument?.bind(schema).references ?? [] }
    return downstream.passing(
      making: Set(columns.map(\.name)), output: try bind(schema, sides: [], .forSchemas).output,
      needing: needed, of: schema)
  }
}

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
