internal import AggregateCore

/// Rows in the text form of `COPY`, and what was seen in each column.
struct PostgreSQLRows {
  /// Which values a column has had, and so which type its column in a new table may have.
  struct Facts: Sendable {
    /// The type that the column is declared with.
    let declared: ValueType
    var hasIntegers = false
    var hasLargeNumbers = false
    var hasBooleans = false
    var hasText = false
    var hasNested = false
    /// Texts of a declared time or date that are none.
    var hasOtherTimes = false

    init(_ declared: ValueType) { self.declared = declared }

    /// The type that keeps all of the values.
    var type: String {
      let kinds = [hasIntegers || hasLargeNumbers, hasBooleans, hasText, hasNested]
        .filter { $0 }.count
      if kinds > 1 { return "text" }
      if hasNested { return "jsonb" }
      if hasBooleans { return "boolean" }
      if hasLargeNumbers { return "numeric" }
      if hasIntegers { return declared == .number ? "numeric" : "bigint" }
      switch declared {
      case .instant: return hasOtherTimes ? "text" : "timestamptz"
      case .date: return hasOtherTimes ? "text" : "date"
      case .int where !hasText: return "bigint"
      case .number where !hasText: return "numeric"
      case .bool where !hasText: return "boolean"
      case .json where !hasText, .list where !hasText: return "jsonb"
      default: return "text"
      }
    }
  }

  private(set) var facts: [Facts]
  private let columns: [ColumnSpec]
  private var count = 0

  init(_ columns: [ColumnSpec]) {
    self.columns = columns
    facts = columns.map { Facts($0.type) }
  }

  /// The rows of a batch: their number, then their values.
  ///
  /// - Throws: ``AggregateError`` with code `badData` for the character U+0000, which the server has not.
  mutating func encode(_ batch: Batch) throws -> ByteBuffer {
    var bytes = ByteBuilder(capacity: batch.rowCount * 64 + 64)
    for row in 0..<batch.rowCount {
      count += 1
      bytes.append(String(count))
      for (index, column) in batch.columns.enumerated() {
        bytes.append(UInt8(ascii: "\t"))
        try append(column.value(at: row), index, &bytes)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes.finish()
  }

  private mutating func append(_ value: Value, _ index: Int, _ bytes: inout ByteBuilder) throws {
    let text = value.displayText
    switch value {
    case .absent, .null:
      bytes.append(literal: "\\N")
      return
    case .bool: facts[index].hasBooleans = true
    case .int: facts[index].hasIntegers = true
    case .double: facts[index].hasLargeNumbers = true
    case .number:
      if Int64(text) != nil {
        facts[index].hasIntegers = true
      } else {
        facts[index].hasLargeNumbers = true
      }
    case .json: facts[index].hasNested = true
    case .instant, .date:
      if columns[index].type != .instant && columns[index].type != .date {
        facts[index].hasText = true
      }
    case .text: note(text, index)
    }
    for byte in text.utf8 {
      switch byte {
      case 0:
        throw AggregateError(
          .badData,
          "the column “\(columns[index].name)” has the character U+0000, which PostgreSQL can't store",
          hint: "replace it: replace: { column: …, pattern: '\\x00', with: '' }")
      case 9: bytes.append(literal: "\\t")
      case 10: bytes.append(literal: "\\n")
      case 13: bytes.append(literal: "\\r")
      case UInt8(ascii: "\\"): bytes.append(literal: "\\\\")
      default: bytes.append(byte)
      }
    }
  }

  private mutating func note(_ text: String, _ index: Int) {
    switch columns[index].type {
    case .instant where Instant(iso8601: text) != nil: break
    case .date where CalendarDate(iso8601: text) != nil: break
    case .instant, .date:
      facts[index].hasOtherTimes = true
      facts[index].hasText = true
    default: facts[index].hasText = true
    }
  }
}
