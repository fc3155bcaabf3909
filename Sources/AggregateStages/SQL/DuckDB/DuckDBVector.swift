internal import CDuckDB

/// The values of a column of some rows, in DuckDB's memory: valid as long as the rows are.
struct DuckDBVector {
  let type: DuckDBType
  /// How many values there are.
  let count: Int
  /// The vectors inside: of all elements, of each field.
  let children: [DuckDBVector]
  private let data: UnsafeRawPointer?
  private let validity: UnsafePointer<UInt64>?

  /// Creates access to `count` values of a vector.
  init(
    _ handle: cduckdb_handle?, _ type: DuckDBType, count: Int, _ functions: cduckdb_functions
  ) {
    self.type = type
    self.count = count
    data = UnsafeRawPointer(functions.vector_get_data(handle))
    validity = UnsafePointer(functions.vector_get_validity(handle))
    switch type.id {
    case CDUCKDB_LIST:
      children = [
        DuckDBVector(
          functions.list_vector_get_child(handle), type.children[0],
          count: Int(functions.list_vector_get_size(handle)), functions)
      ]
    case CDUCKDB_MAP:
      let entries = functions.list_vector_get_child(handle)
      let size = Int(functions.list_vector_get_size(handle))
      children = type.children.enumerated().map { index, type in
        DuckDBVector(
          functions.struct_vector_get_child(entries, UInt64(index)), type, count: size, functions)
      }
    case CDUCKDB_ARRAY:
      children = [
        DuckDBVector(
          functions.array_vector_get_child(handle), type.children[0], count: count * type.length,
          functions)
      ]
    case CDUCKDB_STRUCT:
      children = type.children.enumerated().map { index, type in
        DuckDBVector(
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
    precondition(row >= 0 && row < count)
    guard let data else { preconditionFailure("a vector without values") }
    return data.load(fromByteOffset: row * MemoryLayout<T>.stride, as: T.self)
  }

  /// Calls `body` with the bytes of the text at `row`.
  @inline(__always)
  func withText<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    precondition(row >= 0 && row < count)
    guard let data else { preconditionFailure("a vector without values") }
    let place = data + row * MemoryLayout<cduckdb_string>.stride
    let length = Int(place.load(as: UInt32.self))
    if length <= 12 {
      return try body(UnsafeRawBufferPointer(start: place + 4, count: length))
    }
    let pointer = place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    return try body(UnsafeRawBufferPointer(start: pointer, count: length))
  }

  /// The elements that the list at `row` has.
  func elements(_ row: Int) -> Range<Int> {
    if type.id == CDUCKDB_ARRAY { return row * type.length..<(row + 1) * type.length }
    let entry = load(row, as: cduckdb_list_entry.self)
    return Int(entry.offset)..<Int(entry.offset + entry.length)
  }
}
