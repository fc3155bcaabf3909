internal import AggregateCore
internal import AggregateJSON
internal import CDuckDB

/// Takes rows for a table, column by column.
final class DuckDBAppender {
  private let connection: DuckDBConnection
  private let functions: cduckdb_functions
  private let kinds: [DuckDBColumnKind]
  private var handle: cduckdb_handle?
  private var chunk: cduckdb_handle?
  private let capacity: Int

  init(_ handle: cduckdb_handle?, _ kinds: [DuckDBColumnKind], of connection: DuckDBConnection) {
    self.handle = handle
    self.kinds = kinds
    self.connection = connection
    let functions = connection.functions
    self.functions = functions
    capacity = Int(functions.vector_size())
    var types = kinds.map { $0.logicalType(functions) }
    chunk = functions.create_data_chunk(&types, UInt64(types.count))
    for index in types.indices { functions.destroy_logical_type(&types[index]) }
  }

  deinit {
    functions.destroy_data_chunk(&chunk)
    _ = functions.appender_destroy(&handle)
  }

  /// Hands over what was appended.
  ///
  /// - Throws: ``DuckDBFailure``.
  func close() throws {
    if functions.appender_close(handle) != 0 { throw failure() }
  }

  /// Appends the rows of columns that fit the types; gives how many numbers were too large for a double.
  ///
  /// - Throws: ``DuckDBFailure``.
  func append(_ columns: [Column], rowCount: Int) throws -> [Int] {
    var lost = Array(repeating: 0, count: columns.count)
    var start = 0
    while start < rowCount {
      let rows = start..<min(rowCount, start + capacity)
      functions.data_chunk_reset(chunk)
      for (index, column) in columns.enumerated() {
        let vector = functions.data_chunk_get_vector(chunk, UInt64(index))
        functions.vector_ensure_validity_writable(vector)
        var target = DuckDBTarget(vector, kinds[index], count: rows.count, functions)
        lost[index] += target.fill(column, rows)
      }
      functions.data_chunk_set_size(chunk, UInt64(rows.count))
      if functions.append_data_chunk(handle, chunk) != 0 { throw failure() }
      start = rows.upperBound
    }
    return lost
  }

  private func failure() -> DuckDBFailure {
    DuckDBFailure(text: DuckDBConnection.text(functions.appender_error(handle)))
  }
}

/// A vector that is filled: `count` values of one type in DuckDB's memory.
private struct DuckDBTarget {
  private let handle: cduckdb_handle?
  private let kind: DuckDBColumnKind
  private let count: Int
  private let data: UnsafeMutableRawPointer?
  private let validity: UnsafeMutablePointer<UInt64>?
  private let functions: cduckdb_functions

  init(
    _ handle: cduckdb_handle?, _ kind: DuckDBColumnKind, count: Int,
    _ functions: cduckdb_functions
  ) {
    self.handle = handle
    self.kind = kind
    self.count = count
    self.functions = functions
    data = functions.vector_get_data(handle)
    validity = functions.vector_get_validity(handle)
  }

  private func setNull(_ index: Int) {
    precondition(index >= 0 && index < count)
    validity?[index / 64] &= ~(1 << UInt64(index % 64))
  }

  private func store<T: BitwiseCopyable>(_ value: T, _ index: Int) {
    precondition(index >= 0 && index < count)
    data?.storeBytes(of: value, toByteOffset: index * MemoryLayout<T>.stride, as: T.self)
  }

  private func store(text: UnsafeRawBufferPointer, _ index: Int) {
    precondition(index >= 0 && index < count)
    functions.vector_assign_string_element_len(
      handle, UInt64(index), text.baseAddress?.assumingMemoryBound(to: CChar.self),
      UInt64(text.count))
  }

  private func store(text: String, _ index: Int) {
    var text = text
    text.withUTF8 { store(text: UnsafeRawBufferPointer($0), index) }
  }

  /// Writes the values of `rows`; gives how many numbers were too large.
  mutating func fill(_ column: Column, _ rows: Range<Int>) -> Int {
    var lost = 0
    guard case .spans(let spans) = column else {
      for (index, row) in rows.enumerated() where !put(column.value(at: row), index) { lost += 1 }
      return lost
    }
    let cells = spans.cells
    spans.buffer.withUnsafeBytes { bytes in
      for (index, row) in rows.enumerated() {
        let cell = cells[row]
        let text = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
        if !put(cell, text, spans.buffer, index) { lost += 1 }
      }
    }
    return lost
  }

  private func put(
    _ cell: Cell, _ text: UnsafeRawBufferPointer, _ buffer: ByteBuffer, _ index: Int
  ) -> Bool {
    if cell.kind.isNull {
      setNull(index)
      return true
    }
    switch kind {
    case .unknown: setNull(index)
    case .boolean: store(cell.kind == .true ? 1 : 0 as UInt8, index)
    case .whole: store(NumberText.int64(text) ?? 0, index)
    case .huge: store(DuckDBHugeInt(text) ?? DuckDBHugeInt(0), index)
    case .decimal(let scale):
      store(DuckDBHugeInt(text, scale: scale) ?? DuckDBHugeInt(0), index)
    case .double:
      guard let value = FastDouble.parse(text), value.isFinite else {
        setNull(index)
        return false
      }
      store(value, index)
    case .text:
      switch cell.kind {
      case .escapedText: store(text: EscapedText.decoded(buffer, cell.range), index)
      case .true: store(text: "true", index)
      case .false: store(text: "false", index)
      default: store(text: text, index)
      }
    case .date:
      guard let date = CalendarDate(iso8601: String(decoding: text, as: UTF8.self)) else {
        setNull(index)
        return false
      }
      store(date.days, index)
    case .instant:
      guard let instant = Instant(iso8601: String(decoding: text, as: UTF8.self)) else {
        setNull(index)
        return false
      }
      store(instant.microseconds, index)
    case .json:
      switch cell.kind {
      case .text: store(text: EscapedText.quoted(String(decoding: text, as: UTF8.self)), index)
      case .escapedText: store(text: "\"" + String(decoding: text, as: UTF8.self) + "\"", index)
      case .true: store(text: "true", index)
      case .false: store(text: "false", index)
      default: store(text: text, index)
      }
    }
    return true
  }

  /// Writes a computed value.
  private func put(_ value: Value, _ index: Int) -> Bool {
    switch (kind, value) {
    case (_, .absent), (_, .null), (.unknown, _): setNull(index)
    case (.boolean, .bool(let value)): store(value ? 1 : 0 as UInt8, index)
    case (.whole, .int(let value)): store(value, index)
    case (.huge, .int(let value)): store(DuckDBHugeInt(value), index)
    case (.double, .int(let value)): store(Double(value), index)
    case (.double, .double(let value)): store(value, index)
    case (.date, .date(let value)): store(value.days, index)
    case (.instant, .instant(let value)): store(value.microseconds, index)
    case (.decimal(let scale), _):
      var text = value.displayText
      let number = text.withUTF8 { DuckDBHugeInt(UnsafeRawBufferPointer($0), scale: scale) }
      guard let number else {
        setNull(index)
        return false
      }
      store(number, index)
    case (.text, _): store(text: value.displayText, index)
    case (.json, .bool), (.json, .int), (.json, .number), (.json, .json):
      store(text: value.displayText, index)
    case (.json, .double(let value)):
      guard value.isFinite else {
        setNull(index)
        return false
      }
      store(text: NumberText.shortest(value), index)
    case (.json, _): store(text: EscapedText.quoted(value.displayText), index)
    default:
      setNull(index)
      return false
    }
    return true
  }
}
