internal import AggregateCore

/// Runs a query of SQLite over the rows.
struct SQLStage: Stage {
  static let spec = StageSpec(
    "sql", "Run a query over all rows, with the SQL of SQLite or DuckDB; the table is named input.",
    options: [
      OptionSpec(
        "query", .text, required: true, "One SELECT; its table is named input.",
        example: "SELECT city, count(*) AS n FROM input GROUP BY city"),
      OptionSpec(
        "engine", .choice(["sqlite", "duckdb"]), default: "sqlite",
        "Whose SQL it is; DuckDB has to be installed.", example: "duckdb"),
    ],
    shorthand: .value("query"), positionals: ["query"],
    discussion: """
      SQLite: values keep their kinds: whole and real numbers, text and NULL; true and false are 1 and 0, dates and \
      times ISO 8601 text, objects and lists JSON text (city ->> 'name' looks inside). Columns that the \
      query passes on keep their types. Columns whose names differ only by case get a number: a, A_2. \
      Rows past --max-memory go to a temporary file.

      DuckDB (engine: duckdb) is loaded when it is asked for: the library that DUCKDB_LIBRARY names, or else \
      libduckdb where the system looks for libraries. The module of Python that “pip install duckdb” brings \
      (_duckdb….so) will do as well; libpython is looked for beside it, or is what PYTHON_LIBRARY names. A column \
      has its declared type, or the one that keeps its values: BIGINT or HUGEINT, DOUBLE or, where that would \
      round, DECIMAL, BOOLEAN, VARCHAR for several of them, JSON for objects and lists. An instant is a \
      TIMESTAMP in UTC. Results come back exactly: whole numbers of 128 bits and decimals with all digits, \
      lists and structs nested.
      """,
    example: "sql: SELECT city, max(temp) AS hottest FROM input GROUP BY city ORDER BY city")

  private let query: LocatedText
  private let isDuckDB: Bool
  private let engineLocation: SourceLocation

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    query = LocatedText(options.text("query") ?? "", at: options.location("query"))
    isDuckDB = options.text("engine") == "duckdb"
    engineLocation = options.location("engine")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    if isDuckDB { return try bindToDuckDB(schema, context) }
    let output = try SQLTable(schema, cacheSize: 1 << 16).prepare(query).schema
    return .stream(output: output) { [query] in
      SQLTransform(
        try SQLTable(schema, cacheSize: context.memory.total), query, output, context.log)
    }
  }

  private func bindToDuckDB(_ schema: Schema, _ context: StageContext) throws -> BoundStage {
    let query = DuckDBQuery(text: self.query, input: schema)
    do {
      let library = try DuckDBLibrary.shared()
      let connection = try DuckDBConnection(
        library, maxMemory: 0, temporaryDirectory: context.temporaryDirectory)
      let output = try query.output(connection)
      return .stream(output: output) {
        try DuckDBTransform(library, query, output, context)
      }
    } catch let error as AggregateError {
      throw DiagnosticsError([
        Diagnostic(.error, "sql", "sql: \(error.message)", at: engineLocation, hint: error.hint)
      ])
    } catch let failure as DuckDBFailure {
      throw DiagnosticsError([query.diagnostic(failure)])
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
