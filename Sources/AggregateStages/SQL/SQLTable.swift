internal import AggregateCore
internal import AggregateJSON
internal import AggregateSQLite

/// The table `input` of a database of its own, which goes to a temporary file when it gets large.
final class SQLTable {
  private let schema: Schema
  private let connection: SQLiteConnection
  private let insertion: SQLiteStatement
  /// What each column of type `any` held, for giving nested values back as such.
  private(set) var contents: [Content]

  /// What a column held.
  struct Content: Sendable {
    /// Whether an object or a list was among the values.
    var hasNested = false
    /// Whether a text was that begins as an object or a list does.
    var hasLikeness = false
    /// Whether numbers were that SQLite has only as text.
    var hasLongNumbers = false
    /// Whether a text was that reads as such a number.
    var hasNumberLikeness = false
  }

  /// Creates the empty table.
  ///
  /// - Parameter cacheSize: How many bytes SQLite may keep in memory.
  /// - Throws: ``AggregateError`` when SQLite refuses, such as for too many columns.
  init(_ schema: Schema, cacheSize: Int) throws {
    self.schema = schema
    contents = schema.columns.map { _ in Content() }
    do {
      connection = try SQLiteConnection(path: "")
      let columns = Self.columnNames(schema).enumerated().map { index, name in
        "\(Self.quoted(name)) \(Self.declaration(schema.columns[index].type, index))"
      }
      // A table needs a column; this one no name can reach by chance.
      let declared = columns.isEmpty ? "\"(no columns)\"" : columns.joined(separator: ", ")
      let places = Array(repeating: "?", count: max(1, columns.count)).joined(separator: ", ")
      try connection.run(
        script: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
          PRAGMA cache_size = -\(max(256, cacheSize / 1024));
          CREATE TABLE input (\(declared));
          BEGIN
          """)
      insertion = try connection.prepare("INSERT INTO input VALUES (\(places))")
    } catch let error as AggregateError {
      throw AggregateError(.limit, "sql: \(Self.message(error))")
    }
  }

  /// The rows of a query.
  ///
  /// - Throws: ``DiagnosticsError`` with SQLite's message and the place of the query.
  func prepare(_ query: LocatedText) throws -> SQLRows {
    let statement: SQLiteStatement
    do {
      statement = try connection.prepare(query.text)
    } catch let error as AggregateError {
      let location = connection.errorOffset.map { QueryPlace.location(in: query, byte: $0) }
      throw DiagnosticsError([
        Diagnostic(
          .error, "sql", "sql: \(Self.message(error))", at: location ?? query.location,
          hint: "the table is “input”"
            + (schema.columns.isEmpty
              ? " and has no columns"
              : " and its columns are \(Self.columnNames(schema).prefix(12).joined(separator: ", "))"
                + (schema.columns.count > 12 ? ", …" : "")))
      ])
    }
    guard statement.columnCount > 0 else {
      throw DiagnosticsError([
        Diagnostic(
          .error, "sql", "sql: the statement gives no rows", at: query.location,
          hint: "write a query, such as SELECT * FROM input")
      ])
    }
    return SQLRows(statement, query, contents: contents)
  }

  /// Adds the rows of `batch`.
  func insert(_ batch: Batch, _ log: RunLog) throws {
    do {
      for row in 0..<batch.rowCount {
        for (index, column) in batch.columns.enumerated() {
          try insertion.bind(value(column, row, index, log), at: index)
        }
        _ = try insertion.step()
        insertion.reset()
      }
    } catch let error as AggregateError where error.code == .output {
      throw AggregateError(.limit, "sql: \(Self.message(error))")
    }
  }

  private func value(
    _ column: Column, _ row: Int, _ index: Int, _ log: RunLog
  ) -> SQLiteConnection.Value {
    guard case .spans(let spans) = column else { return Self.value(column.value(at: row)) }
    let cell = spans.cells[row]
    switch cell.kind {
    case .absent, .null: return .null
    case .text:
      let text = spans.buffer.text(cell.range)
      note(text, index)
      return .text(text)
    case .escapedText:
      let text = EscapedText.decoded(spans.buffer, cell.range)
      note(text, index)
      return .text(text)
    case .integer, .real:
      let number = spans.buffer.withUnsafeBytes { bytes -> SQLiteConnection.Value? in
        let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
        if cell.kind == .integer { return NumberText.int64(text).map { .integer($0) } }
        guard !Self.isLong(text), let value = FastDouble.parse(text), value.isFinite else {
          return nil
        }
        return .real(value)
      }
      if let number { return number }
      // Text keeps what would be rounded; it comes back as a number where it is passed on.
      contents[index].hasLongNumbers = true
      log.warn(
        "sql: column “\(schema.columns[index].name)” has numbers of more digits than SQLite keeps,"
          + " which it takes for text")
      return .text(spans.buffer.text(cell.range))
    case .true: return .integer(1)
    case .false: return .integer(0)
    case .object, .array:
      contents[index].hasNested = true
      return .text(spans.buffer.text(cell.range))
    }
  }

  private func note(_ text: String, _ index: Int) {
    if text.utf8.first == UInt8(ascii: "{") || text.utf8.first == UInt8(ascii: "[") {
      contents[index].hasLikeness = true
    }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (48...57).contains(first),
      NumberText.kind(text) != nil
    {
      contents[index].hasNumberLikeness = true
    }
  }

  /// Whether a number has more digits than a double keeps.
  private static func isLong(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count > 17 else { return false }
    var digits = 0
    for byte in text {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      if (48...57).contains(byte), digits > 0 || byte != 48 { digits += 1 }
    }
    return digits > 17
  }

  private static func value(_ value: Value) -> SQLiteConnection.Value {
    switch value {
    case .absent, .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .int(let value): .integer(value)
    case .double(let value): value.isFinite ? .real(value) : .null
    case .number(let text):
      Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .null
    case .text(let text), .json(let text): .text(text)
    case .instant, .date: .text(value.displayText)
    }
  }

  /// The names that the columns have in the table, in which case makes no difference.
  private static func columnNames(_ schema: Schema) -> [String] {
    UniqueNames.numbered(schema.names)
  }

  private static func quoted(_ name: String) -> String {
    "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  /// A declaration under which SQLite converts nothing; it tells type and number of a passed-on column.
  private static func declaration(_ type: ValueType, _ index: Int) -> String {
    "BLOB(\(ValueType.allCases.firstIndex(of: type) ?? 0),\(index))"
  }

  /// The type and the number of the column that has a declaration.
  static func column(ofDeclaration declaration: String?) -> (type: ValueType, index: Int)? {
    guard let numbers = declaration?.dropFirst(5).dropLast().split(separator: ","),
      numbers.count == 2, let type = Int(numbers[0]), let index = Int(numbers[1]),
      ValueType.allCases.indices.contains(type)
    else { return nil }
    return (ValueType.allCases[type], index)
  }

  /// SQLite's message without the name of the database, which has none.
  static func message(_ error: AggregateError) -> String {
    error.message.hasPrefix(": ") ? String(error.message.dropFirst(2)) : error.message
  }
}
