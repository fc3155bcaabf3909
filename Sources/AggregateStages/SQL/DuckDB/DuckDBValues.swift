internal import AggregateCore
internal import CDuckDB

/// DuckDB's values as columns of a batch, without loss.
struct DuckDBValues {
  /// Where values that have no counterpart are counted.
  let log: RunLog

  /// The column named `name` that a vector holds.
  ///
  /// - Throws: ``AggregateError`` when strict and a value has no counterpart, such as infinity.
  func column(_ vector: DuckDBVector, _ name: String) throws -> Column {
    let rows = 0..<vector.count
    switch vector.type.id {
    case CDUCKDB_BIGINT:
      return .ints(Self.plain(vector, Int64.self, 0))
    case CDUCKDB_INTEGER:
      let values = Self.plain(vector, Int32.self, 0)
      return .ints(Vector(values.values.map { Int64($0) }, nulls: values.nulls))
    case CDUCKDB_BOOLEAN:
      let values = Self.plain(vector, UInt8.self, 0)
      return .bools(Vector(values.values.map { $0 != 0 }, nulls: values.nulls))
    default: break
    }
    var cells = CellBuilder()
    var lost = 0
    for row in rows {
      if vector.isNull(row) {
        cells.append(Cell.null)
      } else if !Self.append(vector, row, to: &cells) {
        cells.append(Cell.null)
        lost += 1
      }
    }
    if lost > 0 {
      try log.lost(
        column: name, kind: "are infinite or no numbers", count: lost, example: "inf or nan")
    }
    return cells.finish()
  }

  private static func plain<T: BitwiseCopyable & Sendable>(
    _ vector: DuckDBVector, _: T.Type, _ zero: T
  ) -> Vector<T> {
    var values: [T] = []
    values.reserveCapacity(vector.count)
    var nulls: [Bool]?
    for row in 0..<vector.count {
      if vector.isNull(row) {
        if nulls == nil { nulls = Array(repeating: false, count: vector.count) }
        nulls?[row] = true
        values.append(zero)
      } else {
        values.append(vector.load(row, as: T.self))
      }
    }
    return Vector(values, nulls: nulls)
  }

  /// Appends a value that is not null; false when it is infinite or not a number.
  private static func append(
    _ vector: DuckDBVector, _ row: Int, to cells: inout CellBuilder
  ) -> Bool {
    switch vector.type.id {
    case CDUCKDB_VARCHAR where !vector.type.isJSON:
      vector.withText(row) { text in cells.append(.text) { $0.append(text) } }
    case CDUCKDB_VARCHAR:
      vector.withText(row) { append(json: $0, to: &cells) }
    case CDUCKDB_LIST, CDUCKDB_ARRAY: cells.append(.array) { write(vector, row, into: &$0) }
    case CDUCKDB_STRUCT, CDUCKDB_MAP: cells.append(.object) { write(vector, row, into: &$0) }
    default:
      switch scalar(vector, row) {
      case .text(let text): cells.append(.text) { $0.append(text) }
      case .number(let text):
        cells.append(NumberText.kind(text) ?? .text) { $0.append(text) }
      case .bool(let value): cells.append(Cell(value ? .true : .false))
      case nil: return false
      }
    }
    return true
  }

  /// Appends what a JSON text says.
  private static func append(json text: UnsafeRawBufferPointer, to cells: inout CellBuilder) {
    func whole(_ kind: CellKind) { cells.append(kind) { $0.append(text) } }
    switch text.first {
    case UInt8(ascii: "{"): whole(.object)
    case UInt8(ascii: "["): whole(.array)
    case UInt8(ascii: "t"): cells.append(Cell(.true))
    case UInt8(ascii: "f"): cells.append(Cell(.false))
    case UInt8(ascii: "n"): cells.append(Cell.null)
    case UInt8(ascii: "\"") where text.count > 1:
      let inside = UnsafeRawBufferPointer(rebasing: text[1..<text.count - 1])
      let kind: CellKind = inside.contains(UInt8(ascii: "\\")) ? .escapedText : .text
      cells.append(kind) { $0.append(inside) }
    default: whole(NumberText.kind(text) ?? .text)
    }
  }

  /// What a value without parts is.
  private enum Scalar {
    case text(String)
    case number(String)
    case bool(Bool)
  }

  /// A value without parts; nil for infinity and what is not a number.
  private static func scalar(_ vector: DuckDBVector, _ row: Int) -> Scalar? {
    switch vector.type.id {
    case CDUCKDB_BOOLEAN: .bool(vector.load(row, as: UInt8.self) != 0)
    case CDUCKDB_TINYINT: .number(String(vector.load(row, as: Int8.self)))
    case CDUCKDB_SMALLINT: .number(String(vector.load(row, as: Int16.self)))
    case CDUCKDB_INTEGER: .number(String(vector.load(row, as: Int32.self)))
    case CDUCKDB_BIGINT: .number(String(vector.load(row, as: Int64.self)))
    case CDUCKDB_UTINYINT: .number(String(vector.load(row, as: UInt8.self)))
    case CDUCKDB_USMALLINT: .number(String(vector.load(row, as: UInt16.self)))
    case CDUCKDB_UINTEGER: .number(String(vector.load(row, as: UInt32.self)))
    case CDUCKDB_UBIGINT: .number(String(vector.load(row, as: UInt64.self)))
    case CDUCKDB_HUGEINT: .number(vector.load(row, as: DuckDBHugeInt.self).text())
    case CDUCKDB_UHUGEINT:
      {
        let value = vector.load(row, as: DuckDBHugeInt.self)
        return .number(
          DuckDBHugeInt.digits(high: UInt64(bitPattern: value.high), low: value.low))
      }()
    case CDUCKDB_FLOAT: real(Double(vector.load(row, as: Float.self).description))
    case CDUCKDB_DOUBLE: real(vector.load(row, as: Double.self))
    case CDUCKDB_DECIMAL: .number(decimal(vector, row))
    case CDUCKDB_DATE: date(vector.load(row, as: Int32.self))
    case CDUCKDB_TIME: .text(DuckDBTime.clock(microseconds: vector.load(row, as: Int64.self)))
    case CDUCKDB_TIMESTAMP, CDUCKDB_TIMESTAMP_TZ, CDUCKDB_TIMESTAMP_S, CDUCKDB_TIMESTAMP_MS,
      CDUCKDB_TIMESTAMP_NS:
      DuckDBTime.instant(vector.load(row, as: Int64.self), vector.type.id).map { .text($0) }
    case CDUCKDB_UUID: .text(DuckDBTime.uuid(vector.load(row, as: DuckDBHugeInt.self)))
    case CDUCKDB_ENUM: .text(word(vector, row))
    default: .text(bytes(vector, row))
    }
  }

  private static func real(_ value: Double?) -> Scalar? {
    guard let value, value.isFinite else { return nil }
    let text = NumberText.shortest(value)
    return .number(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
  }

  private static func date(_ days: Int32) -> Scalar? {
    // The greatest and the least number stand for infinity.
    days == .max || days == -.max ? nil : .text(CalendarDate(days: days).iso8601)
  }

  private static func decimal(_ vector: DuckDBVector, _ row: Int) -> String {
    let value =
      switch vector.type.storage {
      case CDUCKDB_SMALLINT: DuckDBHugeInt(Int64(vector.load(row, as: Int16.self)))
      case CDUCKDB_INTEGER: DuckDBHugeInt(Int64(vector.load(row, as: Int32.self)))
      case CDUCKDB_BIGINT: DuckDBHugeInt(vector.load(row, as: Int64.self))
      default: vector.load(row, as: DuckDBHugeInt.self)
      }
    return value.text(scale: vector.type.scale)
  }

  private static func word(_ vector: DuckDBVector, _ row: Int) -> String {
    let index =
      switch vector.type.storage {
      case CDUCKDB_UTINYINT: Int(vector.load(row, as: UInt8.self))
      case CDUCKDB_USMALLINT: Int(vector.load(row, as: UInt16.self))
      default: Int(vector.load(row, as: UInt32.self))
      }
    return vector.type.words.indices.contains(index) ? vector.type.words[index] : ""
  }

  /// Bytes as text; those that are no UTF-8 as `\xFF`.
  private static func bytes(_ vector: DuckDBVector, _ row: Int) -> String {
    vector.withText(row) { bytes in
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      return bytes.map { byte in
        (32..<127).contains(byte) && byte != UInt8(ascii: "\\")
          ? String(Unicode.Scalar(byte))
          : "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
    }
  }

  /// Writes a value, null included, as JSON.
  private static func write(_ vector: DuckDBVector, _ row: Int, into out: inout ByteBuilder) {
    if vector.isNull(row) { return out.append(literal: "null") }
    switch vector.type.id {
    case CDUCKDB_LIST, CDUCKDB_ARRAY:
      out.append(UInt8(ascii: "["))
      let elements = vector.elements(row)
      for element in elements {
        if element > elements.lowerBound { out.append(UInt8(ascii: ",")) }
        write(vector.children[0], element, into: &out)
      }
      out.append(UInt8(ascii: "]"))
    case CDUCKDB_STRUCT:
      out.append(UInt8(ascii: "{"))
      for (index, child) in vector.children.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        out.append(EscapedText.quoted(vector.type.names[index]))
        out.append(UInt8(ascii: ":"))
        write(child, row, into: &out)
      }
      out.append(UInt8(ascii: "}"))
    case CDUCKDB_MAP: writeMap(vector, row, into: &out)
    case CDUCKDB_VARCHAR where vector.type.isJSON: vector.withText(row) { out.append($0) }
    case CDUCKDB_VARCHAR:
      out.append(UInt8(ascii: "\""))
      vector.withText(row) { EscapedText.encode($0, into: &out) }
      out.append(UInt8(ascii: "\""))
    default:
      switch scalar(vector, row) {
      case .text(let text): out.append(EscapedText.quoted(text))
      case .number(let text): out.append(text)
      case .bool(let value): out.append(value ? "true" : "false")
      case nil: out.append(literal: "null")
      }
    }
  }

  private static func writeMap(_ vector: DuckDBVector, _ row: Int, into out: inout ByteBuilder) {
    out.append(UInt8(ascii: "{"))
    let entries = vector.elements(row)
    for entry in entries {
      if entry > entries.lowerBound { out.append(UInt8(ascii: ",")) }
      // The names of an object are text, whatever the keys are.
      var key = ByteBuilder(capacity: 32)
      write(vector.children[0], entry, into: &key)
      let text = key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      out.append(text.hasPrefix("\"") ? text : EscapedText.quoted(text))
      out.append(UInt8(ascii: ":"))
      write(vector.children[1], entry, into: &out)
    }
    out.append(UInt8(ascii: "}"))
  }
}
