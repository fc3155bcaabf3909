internal import AggregateCore

/// Room for the cells of a batch that is being read, column beside column.
///
/// A reader fills it row by row and takes whole columns out. Every access is checked.
struct CellGrid: ~Copyable {
  let columnCount: Int
  /// How many rows there is room for.
  let capacity: Int
  private let stride: Int
  private let base: UnsafeMutablePointer<UInt64>

  /// Creates a grid of `columnCount` columns and `capacity` rows.
  init(columnCount: Int, capacity: Int) {
    self.columnCount = columnCount
    self.capacity = max(1, capacity)
    // Columns a power of two apart would fall into the same lines of the cache.
    stride = self.capacity + 24
    base = .allocate(capacity: max(1, columnCount * stride))
  }

  deinit { base.deallocate() }

  /// Sets the cell at `row` and `column`, in its packed form.
  @inline(__always)
  mutating func set(_ row: Int, _ column: Int, _ bits: UInt64) {
    precondition(
      UInt(bitPattern: row) < UInt(bitPattern: capacity)
        && UInt(bitPattern: column) < UInt(bitPattern: columnCount))
    base[column &* stride &+ row] = bits
  }

  /// The first `rows` cells of `column`; they must have been set.
  func column(_ column: Int, rows: Int) -> [Cell] {
    precondition(rows <= capacity && column < columnCount)
    let start = base + column * stride
    return [Cell](unsafeUninitializedCapacity: rows) { target, count in
      UnsafeMutableRawBufferPointer(target).copyMemory(
        from: UnsafeRawBufferPointer(start: start, count: rows * 8))
      count = rows
    }
  }
}
