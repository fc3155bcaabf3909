internal import AggregateCore

/// Rows kept whole, each packed in one run of bytes, so that any order of them is quick to read back.
///
/// A packed row is one word per column – like a ``Cell``, its offset counted from the row's beginning –
/// and then the bytes of the values. Computed values are kept as they are, and come back as typed columns.
final class RowStore {
  /// Where a row lies: the number of its block and its offset in it.
  typealias Locator = UInt64

  private let columnCount: Int
  private var blocks: [ByteBuffer] = []
  /// The content of each block, which lives as long as the block: reading a row must not count references.
  private var contents: [UnsafeRawBufferPointer] = []
  /// How many bytes the rows take.
  private(set) var byteCount = 0

  /// Creates a store of rows with `columnCount` columns.
  init(columnCount: Int) { self.columnCount = columnCount }

  /// Adds the rows of `batch` and gives back where each lies.
  func append(_ batch: Batch) -> [Locator] {
    let (block, offsets) = RowPacking.pack(batch)
    let number = UInt64(blocks.count) << 32
    blocks.append(block)
    contents.append(block.withUnsafeBytes { $0 })
    byteCount += block.count
    return offsets.map { number | UInt64($0) }
  }

  /// Forgets all rows.
  func removeAll() {
    blocks = []
    contents = []
    byteCount = 0
  }

  /// The rows at `locators`, in that order, as a batch of `schema`.
  func batch(_ locators: ArraySlice<Locator>, schema: Schema) -> Batch {
    let first = locators.startIndex
    return RowPacking.unpack(count: locators.count, schema: schema) { row in
      pointer(locators[first + row])
    }
  }

  /// The packed bytes of the row at `locator`.
  func packed(_ locator: Locator) -> UnsafeRawBufferPointer {
    let rest = pointer(locator)
    return UnsafeRawBufferPointer(
      rebasing: rest[..<RowPacking.length(rest, columnCount: columnCount)])
  }

  /// Emits the rows at `locators` in batches until nothing more is wanted.
  ///
  /// - Returns: Whether more is wanted.
  func emit(
    _ locators: [Locator], schema: Schema, _ emit: (Batch) throws -> Demand
  ) rethrows -> Demand {
    var start = 0
    while start < locators.count {
      let end = min(start + Batch.defaultRowCount, locators.count)
      if try emit(batch(locators[start..<end], schema: schema)) == .enough { return .enough }
      start = end
    }
    return .more
  }

  @inline(__always)
  private func pointer(_ locator: Locator) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: contents[Int(locator >> 32)][Int(locator & 0xFFFF_FFFF)...])
  }
}

extension Batch {
  /// The numbers of the rows, the first being `first`.
  func numbers(from first: Int64) -> [Int64] {
    (0..<rowCount).map { first + Int64($0) }
  }
}
