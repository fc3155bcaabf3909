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
