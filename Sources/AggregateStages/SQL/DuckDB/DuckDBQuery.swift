internal import AggregateCore

/// A query of DuckDB over the table `input`.
struct DuckDBQuery: Sendable {
  /// The query and its place.
  let text: LocatedText
  /// The columns of the table.
  let input: Schema

  /// The columns of the result, found with an empty table.
  ///
  /// What type a column has that is not declared, only its values tell. So the query is tried with
  /// several; a column of the result has a type when it is the same with all of them.
  ///
  /// - Throws: ``DiagnosticsError`` with DuckDB's message and the place in the query.
  func output(_ connection: DuckDBConnection) throws -> Schema {
    let hasJSON = DuckDBTable.hasJSON(connection)
    let isOpen = input.columns.contains { $0.type == .any }
    let guesses: [DuckDBColumnKind?] = isOpen ? [nil, .text, .whole, .double] : [nil]
    var found: [[ColumnSpec]] = []
    var firstError: (any Error)?
    for guess in guesses {
      do {
        let types = input.columns.map { column -> String in
          var kind = DuckDBColumnKind(declared: column.type)
          if kind == .json && !hasJSON { kind = .text }
          if kind == .unknown { kind = guess ?? .unknown }
          return kind == .unknown ? "NULL" : "CAST(NULL AS \(kind.sqlType))"
        }
        try connection.run(DuckDBTable.view(input, types) + " WHERE false")
        let statement = try prepare(connection)
        found.append(
          zip(UniqueNames.numbered(statement.names), statement.types).map { name, type in
            ColumnSpec(name, type.valueType)
          })
      } catch {
        firstError = firstError ?? error
      }
    }
    guard var columns = found.first else { throw firstError ?? DuckDBFailure(text: "no columns") }
    for other in found where other.map(\.name) == columns.map(\.name) {
      for index in columns.indices where columns[index].type != other[index].type {
        columns[index].type = .any
      }
    }
    return Schema(columns)
  }

  /// Prepares the query; values of types that only DuckDB has come as text.
  ///
  /// - Throws: ``DiagnosticsError`` with DuckDB's message and the place in the query.
  func prepare(_ connection: DuckDBConnection) throws -> DuckDBStatement {
    do {
      let statement = try connection.prepare(text.text)
      guard statement.isQuery, !statement.names.isEmpty else {
        throw mistake("the statement gives no rows", "write a query, such as SELECT * FROM input")
      }
      guard statement.parameterCount == 0 else {
        throw mistake("the query has parameters", "write values in place of ? and $1")
      }
      if statement.types.allSatisfy(\.isReadable) { return statement }
      let columns = statement.types.enumerated().map { index, type in
        type.isReadable ? "c\(index)" : "CAST(c\(index) AS VARCHAR) AS c\(index)"
      }
      let names = statement.types.indices.map { "c\($0)" }.joined(separator: ", ")
      let cast = try connection.prepare(
        "SELECT \(columns.joined(separator: ", ")) FROM (\n\(text.text.trimmingSemicolons)\n)"
          + " AS q(\(names))")
      return cast.named(statement.names)
    } catch let failure as DuckDBFailure {
      throw DiagnosticsError([diagnostic(failure)])
    }
  }

  private func mistake(_ message: String, _ hint: String) -> DiagnosticsError {
    DiagnosticsError([Diagnostic(.error, "sql", "sql: \(message)", at: text.location, hint: hint)])
  }

  /// What DuckDB said, with the place in the query that it names.
  func diagnostic(_ failure: DuckDBFailure) -> Diagnostic {
    let message = DuckDBMessage(failure.text)
    let location = message.place.map { place in
      QueryPlace.location(in: text, line: place.line, column: place.column, snippet: place.snippet)
    }
    return Diagnostic(
      .error, "sql", "sql: \(message.text)", at: location ?? text.location,
      hint: message.text.contains("Candidate bindings") ? nil : tableHint)
  }

  private var tableHint: String {
    let names = UniqueNames.numbered(input.names)
    return "the table is “input”"
      + (names.isEmpty
        ? " and has no columns"
        : " and its columns are \(names.prefix(12).joined(separator: ", "))"
          + (names.count > 12 ? ", …" : ""))
  }
}

extension String {
  /// The text without semicolons and white space at its end.
  fileprivate var trimmingSemicolons: Substring {
    var text = self[...]
    while let last = text.last, last == ";" || last.isWhitespace { text.removeLast() }
    return text
  }
}
