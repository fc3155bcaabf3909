internal import AggregateCore

/// The table that gathered rows go into, inside of a transaction of the caller.
struct PostgreSQLTable {
  private let connection: PostgreSQLConnection
  private let target: PostgreSQLTarget
  private let columns: [ColumnSpec]
  private let facts: [PostgreSQLRows.Facts]

  init(
    _ connection: PostgreSQLConnection, _ target: PostgreSQLTarget, _ columns: [ColumnSpec],
    _ facts: [PostgreSQLRows.Facts]
  ) {
    self.connection = connection
    self.target = target
    self.columns = columns
    self.facts = facts
  }

  /// Throws when a name is longer than the server's, which it would cut off.
  static func checkNames(_ names: [String]) throws {
    if let name = names.first(where: { $0.utf8.count > 63 }) {
      throw AggregateError(
        .badData, "PostgreSQL has no names of more than 63 bytes, such as “\(name)”",
        hint: "rename the column")
    }
    if names.contains("") {
      throw AggregateError(
        .badData, "PostgreSQL has no columns without a name", hint: "rename the column")
    }
  }

  private var table: String { target.table.map(Self.quoted).joined(separator: ".") }

  /// Puts the rows in.
  func fill() throws {
    var types = try existing()
    guard !columns.isEmpty else {
      // Nothing is known of an empty result without columns, but that it replaces what there is.
      if !types.isEmpty, target.mode == .replace { try connection.run("DELETE FROM \(table)") }
      return
    }
    let isNew = types.isEmpty
    if isNew {
      let definitions = zip(columns, facts).map { "\(Self.quoted($0.name)) \($1.type)" }
      try connection.run("CREATE TABLE \(table) (\(definitions.joined(separator: ", ")))")
    } else if target.mode == .replace {
      try connection.run("DELETE FROM \(table)")
    }
    for (column, facts) in zip(columns, facts) where types[column.name] == nil {
      types[column.name] = facts.type
      if !isNew {
        try connection.run(
          "ALTER TABLE \(table) ADD COLUMN \(Self.quoted(column.name)) \(facts.type)")
      }
    }
    let names = columns.map { Self.quoted($0.name) }.joined(separator: ", ")
    let values = columns.indices.map { "c\($0)::\(types[columns[$0].name] ?? "text")" }
      .joined(separator: ", ")
    let (rows, conflict) = try keyed()
    try connection.run(
      "INSERT INTO \(table) (\(names)) SELECT \(values) FROM \(rows) ORDER BY n\(conflict)")
  }

  /// The columns of the table and their types; empty when there is no table.
  private func existing() throws -> [String: String] {
    let rows = try connection.rows(
      """
      SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = to_regclass(\(Self.literal(table))) AND attnum > 0 AND NOT attisdropped
      """, columns: 2)
    return Dictionary(
      rows.map { ($0[0] ?? "", $0[1] ?? "text") }, uniquingKeysWith: { first, _ in first })
  }

  /// Where rows come from, and what happens to those whose key is there: with several of one key, the
  /// last one counts.
  private func keyed() throws -> (rows: String, conflict: String) {
    guard case .upsert(let key) = target.mode else { return ("pg_temp.aggregate_arrived", "") }
    let indexes = try key.map { name in
      guard let index = columns.firstIndex(where: { $0.name == name }) else {
        throw AggregateError(
          .configuration, "the rows have no column “\(name)”, which is to be the key",
          hint: Suggestions.hint(for: name, in: columns.map(\.name)))
      }
      let nulls = try connection.rows(
        "SELECT 1 FROM pg_temp.aggregate_arrived WHERE c\(index) IS NULL LIMIT 1", columns: 1)
      if !nulls.isEmpty {
        throw AggregateError(
          .badData, "a row has no value in the key column “\(name)”",
          hint: "filter: \(name) is not null")
      }
      return index
    }
    let names = key.map(Self.quoted).joined(separator: ", ")
    if try !hasUniqueIndex(key) {
      try connection.run("CREATE UNIQUE INDEX ON \(table) (\(names))")
    }
    let sources = indexes.map { "c\($0)" }.joined(separator: ", ")
    let updates = columns.filter { !key.contains($0.name) }.map { column in
      "\(Self.quoted(column.name)) = excluded.\(Self.quoted(column.name))"
    }
    return (
      "(SELECT DISTINCT ON (\(sources)) * FROM pg_temp.aggregate_arrived"
        + " ORDER BY \(sources), n DESC) AS latest",
      " ON CONFLICT (\(names)) DO "
        + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))")
    )
  }

  private func hasUniqueIndex(_ key: [String]) throws -> Bool {
    let names = key.sorted().map(Self.literal).joined(separator: ", ")
    return try !connection.rows(
      """
      SELECT 1 FROM pg_index AS i WHERE indrelid = to_regclass(\(Self.literal(table)))
        AND indisunique AND indpred IS NULL AND indexprs IS NULL
        AND (SELECT array_agg(attname::text ORDER BY attname::text COLLATE "C") FROM pg_attribute
          WHERE attrelid = i.indrelid AND attnum = ANY (i.indkey)) = ARRAY[\(names)]::text[]
      LIMIT 1
      """, columns: 1
    ).isEmpty
  }

  /// A name in double quotes.
  private static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text in single quotes.
  private static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
