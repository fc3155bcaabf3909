internal import AggregateCore
internal import AggregateSQLite

/// What a query gives, batch by batch.
final class SQLRows {
  private let statement: SQLiteStatement
  private let query: LocatedText
  private let isNested: [Bool]
  /// Whether a text that reads as a number is one that SQLite could not keep.
  private let hasLongNumbers: [Bool]
  private let types: [ValueType]
  /// The columns of the result.
  let schema: Schema
  private var isAtEnd = false

  /// Creates the rows of a prepared query over a table whose columns held `contents`.
  init(_ statement: SQLiteStatement, _ query: LocatedText, contents: [SQLTable.Content]) {
    self.statement = statement
    self.query = query
    let origins = statement.declaredTypes.map { SQLTable.column(ofDeclaration: $0) }
    types = origins.map { $0?.type ?? .any }
    schema = Schema(
      zip(UniqueNames.numbered(statement.columnNames), types).map { ColumnSpec($0, $1) })
    let sources = origins.map { origin -> SQLTable.Content? in
      guard let origin, contents.indices.contains(origin.index) else { return nil }
      return contents[origin.index]
    }
    // A column gives nested values and long numbers back where no text could be taken for one.
    isNested = sources.map { $0.map { $0.hasNested && !$0.hasLikeness } ?? false }
    hasLongNumbers = sources.map {
      $0.map { $0.hasLongNumbers && !$0.hasNumberLikeness } ?? false
    }
  }

  /// The next rows, under `schema`; nil after the last.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when SQLite can't compute a value.
  func next(_ schema: Schema) throws -> Batch? {
    if isAtEnd { return nil }
    var builder = BatchBuilder(schema: schema)
    do {
      while builder.rowCount < Batch.defaultRowCount {
        guard try statement.step() else {
          isAtEnd = true
          break
        }
        for column in 0..<statement.columnCount { append(column, to: &builder) }
        builder.endRow()
      }
    } catch let error as AggregateError {
      throw AggregateError(
        .badData, "sql: \(SQLTable.message(error))", location: query.location)
    }
    if builder.rowCount == 0 { return nil }
    return builder.finish()
  }

  private func append(_ column: Int, to builder: inout BatchBuilder) {
    switch statement.value(column) {
    case .null: builder.appendNull()
    case .integer(let value):
      if types[column] == .bool, value == 0 || value == 1 {
        builder.append(value == 1)
      } else {
        builder.append(value)
      }
    case .real(let value): builder.append(Value.double(value))
    case .text(let text):
      if isNested[column], text.utf8.first == UInt8(ascii: "{") {
        builder.append(json: text, kind: .object)
      } else if isNested[column], text.utf8.first == UInt8(ascii: "[") {
        builder.append(json: text, kind: .array)
      } else if hasLongNumbers[column], NumberText.kind(text) != nil {
        builder.append(number: text)
      } else {
        builder.append(text)
      }
    case .blob(let bytes): builder.append(String(decoding: bytes, as: UTF8.self))
    }
  }
}
