internal import AggregateCore

/// Runs a query of SQLite over the rows.
struct SQLStage: Stage {
  static let spec = StageSpec(
    "sql", "Run a query over all rows, with the SQL of SQLite; the table is named input.",
    options: [
      OptionSpec(
        "query", .text, required: true, "One SELECT; its table is named input.",
        example: "SELECT city, count(*) AS n FROM input GROUP BY city")
    ],
    shorthand: .value("query"), positionals: ["query"],
    discussion: """
      Values keep their kinds: whole and real numbers, text and NULL; true and false are 1 and 0, dates and \
      times ISO 8601 text, objects and lists JSON text (city ->> 'name' looks inside). Columns that the \
      query passes on keep their types. Columns whose names differ only by case get a number: a, A_2. \
      Rows past --max-memory go to a temporary file.
      """,
    example: "sql: SELECT city, max(temp) AS hottest FROM input GROUP BY city ORDER BY city")

  private let query: LocatedText

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    query = LocatedText(options.text("query") ?? "", at: options.location("query"))
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let output = try SQLTable(schema, cacheSize: 1 << 16).prepare(query).schema
    return .stream(output: output) { [query] in
      SQLTransform(
        try SQLTable(schema, cacheSize: context.memory.total), query, output, context.log)
    }
  }
}

/// Fills the table and runs the query when all rows are there.
private final class SQLTransform: StreamTransform {
  private let table: SQLTable
  private let query: LocatedText
  private let output: Schema
  private let log: RunLog

  init(_ table: SQLTable, _ query: LocatedText, _ output: Schema, _ log: RunLog) {
    self.table = table
    self.query = query
    self.output = output
    self.log = log
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    try table.insert(batch, log)
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    let rows = try table.prepare(query)
    while let batch = try rows.next(output) {
      if try emit(batch) == .enough { return }
    }
  }
}
