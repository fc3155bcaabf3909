internal import AggregateCore
internal import AggregateSQLite

/// Cells as SQLite's values, without loss.
enum SQLiteValues {
  /// The value of a column at `row`.
  static func value(_ column: Column, _ row: Int) -> SQLiteConnection.Value {
    switch column {
    case .spans(let spans):
      let cell = spans.cells[row]
      switch cell.kind {
      case .absent, .null: return .null
      case .text, .object, .array: return .text(spans.buffer.text(cell.range))
      case .escapedText: return .text(EscapedText.decoded(spans.buffer, cell.range))
      case .integer:
        let number = spans.buffer.withUnsafeBytes {
          NumberText.int64(UnsafeRawBufferPointer(rebasing: $0[cell.range]))
        }
        return number.map { .integer($0) } ?? .text(spans.buffer.text(cell.range))
      case .real: return real(spans.buffer.text(cell.range))
      case .true: return .integer(1)
      case .false: return .integer(0)
      }
    case .ints(let vector): return vector[row].map { .integer($0) } ?? .null
    case .doubles(let vector):
      // SQLite has no NaN: it would become NULL without a word.
      guard let value = vector[row] else { return .null }
      return value.isNaN ? .text("nan") : .real(value)
    case .bools(let vector): return vector[row].map { .integer($0 ? 1 : 0) } ?? .null
    case .instants(let vector): return vector[row].map { .text($0.iso8601) } ?? .null
    case .dates(let vector): return vector[row].map { .text($0.iso8601) } ?? .null
    }
  }

  /// A real number when a double holds all of its digits, else its text.
  private static func real(_ text: String) -> SQLiteConnection.Value {
    guard let value = Double(text), value.isFinite, significantDigits(text) <= 17,
      value != 0
        || !text.utf8.prefix(while: { $0 | 0x20 != UInt8(ascii: "e") })
          .contains(where: { (49...57).contains($0) })
    else { return .text(text) }
    return .real(value)
  }

  /// How many digits a number has from the first to the last that is not 0.
  private static func significantDigits(_ text: String) -> Int {
    var count = 0
    var last = 0
    for byte in text.utf8 {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      guard (48...57).contains(byte), count > 0 || byte != 48 else { continue }
      count += 1
      if byte != 48 { last = count }
    }
    return last
  }
}

/// Which values a column has had, and so which type its column in a new table may have.
struct SQLiteColumnFacts: Sendable {
  /// Whole numbers beyond this lose digits as doubles.
  private static let exactDouble: Int64 = 1 << 53
  private var hasIntegers = false
  private var hasLargeIntegers = false
  private var hasReals = false
  private var hasText = false

  /// Takes note of a value.
  mutating func note(_ value: SQLiteConnection.Value) {
    switch value {
    case .null: break
    case .integer(let number):
      hasIntegers = true
      if number > Self.exactDouble || number < -Self.exactDouble { hasLargeIntegers = true }
    case .real: hasReals = true
    case .text, .blob: hasText = true
    }
  }

  /// The type under which SQLite stores all of the values as they came; empty for no type.
  func affinity(declared: ValueType) -> String {
    if hasText { return hasIntegers || hasReals ? "" : "TEXT" }
    if hasReals { return hasLargeIntegers ? "NUMERIC" : "REAL" }
    if hasIntegers {
      return declared == .number ? hasLargeIntegers ? "NUMERIC" : "REAL" : "INTEGER"
    }
    return switch declared {
    case .int, .bool: "INTEGER"
    case .number: "REAL"
    case .text, .instant, .date, .json, .list: "TEXT"
    case .any: ""
    }
  }

  /// Whether a column of this declared type may change some of the values.
  func mayChange(under declaredType: String) -> Bool {
    let type = declaredType.uppercased()
    let isText = ["CHAR", "CLOB", "TEXT"].contains { type.contains($0) }
    if type.contains("INT") { return hasText }
    if isText { return hasIntegers || hasReals }
    if type.isEmpty || type.contains("BLOB") { return false }
    return hasText || hasLargeIntegers
  }
}
