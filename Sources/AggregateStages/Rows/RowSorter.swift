internal import AggregateCore

/// Sorts rows by keys, stably; past a limit of memory it writes sorted runs to disk and merges them.
final class RowSorter {
  private let schema: Schema
  private let memory: MemoryShare
  private let directory: String
  private var store: RowStore
  private var locators: [RowStore.Locator] = []
  private var order = SortedOrder()
  private var file: SpillFile?
  private var runs: [Range<Int>] = []

  /// Creates a sorter of rows of `schema`.
  init(schema: Schema, _ context: StageContext) {
    self.schema = schema
    memory = context.memory.share()
    directory = context.temporaryDirectory
    store = RowStore(columnCount: schema.columns.count)
  }

  /// Adds the rows of `batch`, whose keys are `keys`.
  func append(_ batch: Batch, keys: EncodedKeys) throws {
    locators += store.append(batch)
    order.append(keys)
    // A part is left for arrays that grow: while they are copied, both are there.
    let limit = memory.limit / 4 * 3
    if store.byteCount + order.byteCount + 8 * locators.capacity > limit { try spill() }
  }

  /// Emits all rows in order, until nothing more is wanted.
  func emit(_ emit: (Batch) throws -> Demand) throws -> Demand {
    if file == nil {
      let sorted = order.sorted().map { locators[$0] }
      order = SortedOrder()
      return try store.emit(sorted, schema: schema, emit)
    }
    try spill()
    return try merge(emit)
  }

  private func spill() throws {
    if locators.isEmpty { return }
    let file = try self.file ?? SpillFile(in: directory)
    self.file = file
    let start = file.count
    for row in order.sorted() {
      let packed = store.packed(locators[row])
      let failure = order.withKey(row) { key -> (any Error)? in
        do {
          try Self.write(key, packed, file)
          return nil
        } catch { return error }
      }
      if let failure { throw failure }
    }
    runs.append(start..<file.count)
    store.removeAll()
    locators.removeAll(keepingCapacity: true)
    order = SortedOrder()
  }

  private static func write(
    _ key: UnsafeRawBufferPointer, _ row: UnsafeRawBufferPointer, _ file: SpillFile
  ) throws {
    let lengths = (UInt32(key.count), UInt32(row.count))
    try withUnsafeBytes(of: lengths) { try file.append($0) }
    try file.append(key)
    try file.append(row)
  }

  private func merge(_ emit: (Batch) throws -> Demand) throws -> Demand {
    guard let file else { return .more }
    try file.flush()
    let bufferSize = max(4096, min(1 << 18, memory.limit / max(1, runs.count)))
    var heap = RunHeap(try runs.map { try RunReader(file, $0, bufferSize: bufferSize) })
    while !heap.isEmpty {
      var bytes = ByteBuilder(capacity: 1 << 16)
      var starts: [Int] = []
      while starts.count < Batch.defaultRowCount, let reader = heap.first {
        starts.append(bytes.count)
        reader.withRecord { _, row in bytes.append(row) }
        try heap.advance()
      }
      let block = bytes.finish()
      let batch = RowPacking.unpack(count: starts.count, schema: schema) { row in
        block.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[starts[row]...]) }
      }
      if try emit(batch) == .enough { return .enough }
    }
    return .more
  }
}
