internal import CDuckDB

/// The values of a column of some rows, in DuckDB's memory: valid as long as the rows are.
struct DuckDBVector {
  let type: DuckDBType
  /// How many values there are.
  let count: Int
  /// The vectors inside: of all elements, of each field.
  let children: [DuckDBVector]
  /// The values, with room for the widest type; empty for types that keep theirs in ``children``.
  private let values: UnsafeRawBufferPointer
  private let validity: UnsafePointer<UInt64>?

  /// The size of the widest values that a vector stores: of numbers of 128 bits, and of texts.
  private static let widest = 16

  /// Creates access to `count` values of a vector.
  ///
  /// - Throws: ``DuckDBFailure`` when the library gives no values for a type that has some.
  init(
    _ handle: cduckdb_handle?, _ type: DuckDBType, count: Int, _ functions: cduckdb_functions
  ) throws {
    self.type = type
    self.count = count
    let isElsewhere = [CDUCKDB_STRUCT, CDUCKDB_ARRAY, CDUCKDB_SQLNULL].contains(type.id)
    let data = isElsewhere ? nil : UnsafeRawPointer(functions.vector_get_data(handle))
    if data == nil, !isElsewhere, count > 0 {
      throw DuckDBFailure(text: "DuckDB gave \(count) rows without values for a column")
    }
    values = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count * Self.widest)
    validity = UnsafePointer(functions.vector_get_validity(handle))
    switch type.id {
    case CDUCKDB_LIST:
      children = [
        try DuckDBVector(
          functions.list_vector_get_child(handle), type.children[0],
          count: Int(functions.list_vector_get_size(handle)), functions)
      ]
    case CDUCKDB_MAP:
      let entries = functions.list_vector_get_child(handle)
      let size = Int(functions.list_vector_get_size(handle))
      children = try type.children.enumerated().map { index, type in
        try DuckDBVector(
          functions.struct_vector_get_child(entries, UInt64(index)), type, count: size, functions)
      }
    case CDUCKDB_ARRAY:
      children = [
        try DuckDBVector(
          functions.array_vector_get_child(handle), type.children[0], count: count * type.length,
          functions)
      ]
    case CDUCKDB_STRUCT:
      children = try type.children.enumerated().map { index, type in
        try DuckDBVector(
          functions.struct_vector_get_child(handle, UInt64(index)), type, count: count, functions)
      }
    default: children = []
    }
  }

  /// Whether there is no value at `row`.
  @inline(__always)
  func isNull(_ row: Int) -> Bool {
    precondition(row >= 0 && row < count)
    if type.id == CDUCKDB_SQLNULL { return true }
    guard let validity else { return false }
    return validity[row / 64] & (1 << UInt64(row % 64)) == 0
  }

  /// What is stored at `row`, which must be of the type `T`.
  @inline(__always)
  func load<T: BitwiseCopyable>(_ row: Int, as _: T.Type) -> T {
    precondition(row >= 0 && row < count && !values.isEmpty)
    return values.load(fromByteOffset: row * MemoryLayout<T>.stride, as: T.self)
  }

  /// Calls `body` with the bytes of the text at `row`.
  @inline(__always)
  func withText<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    precondition(row >= 0 && row < count && !values.isEmpty)
    let place = row * MemoryLayout<cduckdb_string>.stride
    let length = Int(values.load(fromByteOffset: place, as: UInt32.self))
    if length <= 12 {
      return try body(UnsafeRawBufferPointer(rebasing: values[place + 4..<place + 4 + length]))
    }
    let pointer = values.load(fromByteOffset: place + 8, as: UnsafeRawPointer?.self)
    return try body(UnsafeRawBufferPointer(start: pointer, count: length))
  }

  /// The elements that the list at `row` has.
  func elements(_ row: Int) -> Range<Int> {
    if type.id == CDUCKDB_ARRAY { return row * type.length..<(row + 1) * type.length }
    let entry = load(row, as: cduckdb_list_entry.self)
    return Int(entry.offset)..<Int(entry.offset + entry.length)
  }
}
