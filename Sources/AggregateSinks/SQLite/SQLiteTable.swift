internal import AggregateCore
internal import AggregateSQLite

/// The table that gathered rows go into, inside of a transaction of the caller.
struct SQLiteTable {
  private let connection: SQLiteConnection
  private let target: SQLiteTarget
  private let columns: [ColumnSpec]
  private let facts: [SQLiteColumnFacts]

  init(
    _ connection: SQLiteConnection, _ target: SQLiteTarget, _ columns: [ColumnSpec],
    _ facts: [SQLiteColumnFacts]
  ) {
    self.connection = connection
    self.target = target
    self.columns = columns
    self.facts = facts
  }

  /// Throws when two names are one to SQLite, which compares them without case.
  static func checkNames(_ names: [String]) throws {
    var seen: [String: String] = [:]
    for name in names {
      if let other = seen.updateValue(name, forKey: folded(name)) {
        throw AggregateError(
          .badData, "SQLite does not tell the columns “\(other)” and “\(name)” apart",
          hint: "rename or drop one of them")
      }
    }
  }

  /// Puts the rows in; gives warnings.
  func fill() throws -> [String] {
    guard !columns.isEmpty else {
      // Nothing is known of an empty result without columns, but that it replaces what there is.
      if case .replace = target.mode, try !existing().isEmpty {
        try connection.execute("DELETE FROM \(table)")
      }
      return []
    }
    let warnings = try prepareTable()
    if case .replace = target.mode { try connection.execute("DELETE FROM \(table)") }
    let names = columns.map { Self.quoted($0.name) }.joined(separator: ",")
    try connection.execute(
      "INSERT INTO \(table) (\(names)) SELECT * FROM temp.arrived WHERE true ORDER BY rowid"
        + (try conflictClause()))
    return warnings
  }

  private var table: String { "main." + Self.quoted(target.table) }

  /// The columns of the table and their declared types; empty when there is no table.
  private func existing() throws -> [String: String] {
    let rows = try connection.rows(
      "SELECT name, type FROM pragma_table_info(?, 'main')", [.text(target.table)])
    return Dictionary(
      rows.map { (Self.folded($0[0].text ?? ""), $0[1].text ?? "") }, uniquingKeysWith: { $1 })
  }

  /// Creates the table or adds the columns that it lacks.
  private func prepareTable() throws -> [String] {
    let known = try existing()
    if known.isEmpty {
      let definitions = zip(columns, facts).map(Self.definition)
      try connection.execute("CREATE TABLE \(table) (\(definitions.joined(separator: ", ")))")
      return []
    }
    var warnings: [String] = []
    for (column, facts) in zip(columns, facts) {
      guard let type = known[Self.folded(column.name)] else {
        try connection.execute(
          "ALTER TABLE \(table) ADD COLUMN \(Self.definition(column, facts))")
        continue
      }
      if facts.mayChange(under: type) {
        warnings.append(
          "the column “\(column.name)” of the table “\(target.table)” is \(type): SQLite converts"
            + " values of other types that look like it")
      }
    }
    return warnings
  }

  private func conflictClause() throws -> String {
    guard case .upsert(let key) = target.mode else { return "" }
    var indexes: [Int] = []
    for name in key {
      guard let index = columns.firstIndex(where: { Self.folded($0.name) == Self.folded(name) })
      else {
        throw AggregateError(
          .configuration, "the rows have no column “\(name)”, which is to be the key",
          hint: Suggestions.hint(for: name, in: columns.map(\.name)))
      }
      indexes.append(index)
      let nulls = try connection.rows(
        "SELECT 1 FROM temp.arrived WHERE c\(index) IS NULL LIMIT 1")
      if !nulls.isEmpty {
        throw AggregateError(
          .badData, "a row has no value in the key column “\(name)”",
          hint: "filter: \(name) is not null")
      }
    }
    let names = indexes.map { Self.quoted(columns[$0].name) }.joined(separator: ",")
    let index = "main." + Self.quoted("\(target.table) by \(key.joined(separator: " "))")
    try connection.execute(
      "CREATE UNIQUE INDEX IF NOT EXISTS \(index) ON \(Self.quoted(target.table)) (\(names))")
    let updates = columns.indices.filter { !indexes.contains($0) }.map { index in
      let name = Self.quoted(columns[index].name)
      return "\(name) = excluded.\(name)"
    }
    return " ON CONFLICT (\(names)) DO "
      + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))")
  }

  private static func definition(_ column: ColumnSpec, _ facts: SQLiteColumnFacts) -> String {
    let type = facts.affinity(declared: column.type)
    return quoted(column.name) + (type.isEmpty ? "" : " \(type)")
  }

  /// A name in double quotes.
  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A name as SQLite compares it: without case, in ASCII only.
  private static func folded(_ name: String) -> String {
    String(
      decoding: name.utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
