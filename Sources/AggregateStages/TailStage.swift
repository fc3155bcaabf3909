internal import AggregateCore

/// Keeps the last rows.
struct TailStage: Stage {
  static let spec = StageSpec(
    "tail", "Keep the last rows.",
    options: [
      OptionSpec("n", .int(0...Int.max), default: "10", "How many rows.", example: "5")
    ],
    shorthand: .value("n"), positionals: ["n"],
    example: "tail: 10")

  private let count: Int

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    count = options.int("n") ?? 10
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [count] in TailTransform(count, schema, context) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream
  }
}

/// Keeps the last rows, packed; past the limit of memory on disk.
private final class TailTransform: StreamTransform {
  /// Some rows, one behind the other.
  private struct Block {
    let rowCount: Int
    let byteCount: Int
    /// Nil when they are on disk.
    var bytes: ByteBuffer?
    var offset = 0
  }

  private let count: Int
  private let schema: Schema
  private let context: StageContext
  private let share: MemoryShare
  private var kept: [Block] = []
  private var rows = 0
  private var memory = 0
  private var file: SpillFile?

  init(_ count: Int, _ schema: Schema, _ context: StageContext) {
    self.count = count
    self.schema = schema
    self.context = context
    share = context.memory.share()
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if count == 0 { return .enough }
    if batch.rowCount == 0 { return .more }
    let last = batch.sliced(max(0, batch.rowCount - count)..<batch.rowCount)
    let block = RowPacking.pack(last).block
    kept.append(Block(rowCount: last.rowCount, byteCount: block.count, bytes: block))
    rows += last.rowCount
    memory += block.count
    var surplus = 0
    while surplus < kept.count, rows - kept[surplus].rowCount >= count {
      rows -= kept[surplus].rowCount
      if kept[surplus].bytes != nil { memory -= kept[surplus].byteCount }
      surplus += 1
    }
    kept.removeFirst(surplus)
    if memory > share.limit { try spill() }
    return .more
  }

  private func spill() throws {
    let file = try self.file ?? SpillFile(in: context.temporaryDirectory)
    self.file = file
    for index in kept.indices {
      guard let bytes = kept[index].bytes else { continue }
      kept[index].offset = file.count
      try bytes.withUnsafeBytes { try file.append($0) }
      kept[index].bytes = nil
    }
    memory = 0
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    try file?.flush()
    var surplus = max(0, rows - count)
    for block in kept {
      let batch = try unpacked(block)
      let rest = batch.sliced(min(surplus, batch.rowCount)..<batch.rowCount)
      surplus -= batch.rowCount - rest.rowCount
      if rest.rowCount > 0, try emit(rest) == .enough { return }
    }
  }

  private func unpacked(_ block: Block) throws -> Batch {
    let bytes = try block.bytes ?? read(block)
    return bytes.withUnsafeBytes { bytes in
      var starts: [Int] = []
      var position = 0
      for _ in 0..<block.rowCount {
        starts.append(position)
        position += RowPacking.length(
          UnsafeRawBufferPointer(rebasing: bytes[position...]), columnCount: schema.columns.count)
      }
      return RowPacking.unpack(count: block.rowCount, schema: schema) {
        UnsafeRawBufferPointer(rebasing: bytes[starts[$0]...])
      }
    }
  }

  private func read(_ block: Block) throws -> ByteBuffer {
    let bytes = try ByteBuffer(capacity: block.byteCount) {
      try file?.read(at: block.offset, into: $0) ?? 0
    }
    if bytes.count < block.byteCount {
      throw AggregateError(.internal, "a temporary file ended too early")
    }
    return bytes
  }
}
