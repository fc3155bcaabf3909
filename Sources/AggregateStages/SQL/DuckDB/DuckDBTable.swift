internal import AggregateCore

/// The table behind `input`: its columns widen as values come that they could not keep.
final class DuckDBTable {
  private let connection: DuckDBConnection
  private let schema: Schema
  private var facts: [DuckDBColumnFacts]
  /// The types of the columns; empty before the first rows.
  private var kinds: [DuckDBColumnKind] = []
  private var appender: DuckDBAppender?
  private let hasJSON: Bool

  /// Creates a table that has no rows.
  init(_ schema: Schema, _ connection: DuckDBConnection) {
    self.schema = schema
    self.connection = connection
    facts = schema.columns.map { DuckDBColumnFacts($0.type) }
    hasJSON = Self.hasJSON(connection)
  }

  /// Whether this DuckDB has the type JSON.
  static func hasJSON(_ connection: DuckDBConnection) -> Bool {
    (try? connection.run("SELECT CAST('1' AS JSON)")) != nil
  }

  /// Adds the rows of `batch`.
  ///
  /// - Throws: ``DuckDBFailure``; ``AggregateError`` when strict and a number is too large.
  func insert(_ batch: Batch, _ log: RunLog) throws {
    if batch.rowCount == 0 { return }
    for (index, column) in batch.columns.enumerated() { facts[index].note(column) }
    try widen(to: facts.map { $0.kind }.map { $0 == .json && !hasJSON ? .text : $0 }, log)
    let appender = try self.appender ?? connection.appender(to: "arrived", storedKinds)
    self.appender = appender
    let columns = schema.columns.isEmpty ? [Column.nulls(batch.rowCount)] : batch.columns
    for (index, count) in try appender.append(columns, rowCount: batch.rowCount).enumerated()
    where count > 0 {
      let values = batch.columns[index]
      try log.lost(
        column: schema.columns[index].name, kind: "are too large for sql", count: count,
        example: example(values))
    }
  }

  /// A number that no double holds.
  private func example(_ column: Column) -> String {
    for row in 0..<column.count {
      let text = column.value(at: row).displayText
      if let value = Double(text), !value.isFinite { return text }
    }
    return ""
  }

  /// The types of what is stored: a table needs a column.
  private var storedKinds: [DuckDBColumnKind] { kinds.isEmpty ? [.unknown] : kinds }

  private func widen(to wanted: [DuckDBColumnKind], _ log: RunLog) throws {
    for (index, facts) in facts.enumerated() where facts.rounds {
      log.warn(
        "sql: column “\(schema.columns[index].name)” has numbers of more digits than DuckDB's types"
          + " keep, which are rounded there")
    }
    if kinds == wanted, appender != nil { return }
    if appender == nil {
      kinds = wanted
      return try create()
    }
    try appender?.close()
    appender = nil
    for (index, kind) in wanted.enumerated() where kind != kinds[index] {
      let using = kinds[index].conversion(of: "c\(index)", to: kind)
      try connection.run(
        "ALTER TABLE arrived ALTER COLUMN c\(index) SET DATA TYPE \(kind.sqlType) USING \(using)")
    }
    kinds = wanted
  }

  private func create() throws {
    let columns = storedKinds.enumerated().map { "c\($0) \($1.sqlType)" }
    try connection.run("CREATE TABLE arrived (\(columns.joined(separator: ", ")))")
  }

  /// Ends the rows and gives the table its name.
  ///
  /// - Throws: ``DuckDBFailure``.
  func finish() throws {
    if let appender {
      try appender.close()
      self.appender = nil
    } else {
      kinds = facts.map { $0.kind }.map { $0 == .json && !hasJSON ? .text : $0 }
      try create()
    }
    // A column without values fits every type.
    let columns = kinds.enumerated().map { index, kind in
      kind == .unknown ? "NULL" : "c\(index)"
    }
    try connection.run(Self.view(schema, columns) + " FROM arrived")
  }

  /// The statement that names expressions as the columns of `input`.
  static func view(_ schema: Schema, _ expressions: [String]) -> String {
    let columns = zip(UniqueNames.numbered(schema.names), expressions).map { name, expression in
      "\(expression) AS \(quoted(name))"
    }
    let selected = columns.isEmpty ? "NULL AS \"(no columns)\"" : columns.joined(separator: ", ")
    return "CREATE OR REPLACE VIEW input AS SELECT \(selected)"
  }

  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}
