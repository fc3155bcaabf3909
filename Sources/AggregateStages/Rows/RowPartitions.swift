internal import AggregateCore

/// Rows on disk in parts by their keys: equal keys are in one part, and a part fits in memory.
///
/// Each row has a number that says where it stood in the stream. Within a part, rows come back in
/// the order in which they were added.
final class RowPartitions {
  /// How many parts there are.
  static let count = 64

  private let schema: Schema
  private let packedSchema: Schema
  private let file: SpillFile
  private let flushSize: Int
  private var pending: [[UInt8]] = Array(repeating: [], count: RowPartitions.count)
  private var ranges: [[Range<Int>]] = Array(repeating: [], count: RowPartitions.count)

  /// Creates empty parts of rows of `schema`.
  ///
  /// - Throws: ``AggregateError`` with code `limit` when there can be no temporary file.
  init(_ schema: Schema, _ context: StageContext) throws {
    self.schema = schema
    packedSchema = Schema((0...schema.columns.count).map { ColumnSpec("\($0)") })
    file = try SpillFile(in: context.temporaryDirectory)
    flushSize = max(1 << 12, min(1 << 16, context.memory.total / (4 * Self.count)))
  }

  /// Adds `rows` of `batch`, or all; `numbers` has one element and `keys` one key per row of the batch.
  func append(
    _ batch: Batch, numbers: [Int64], keys: EncodedKeys, rows: [Int32]? = nil
  ) throws {
    let numbered = Batch(
      schema: packedSchema, columns: batch.columns + [.ints(Vector(numbers))],
      rowCount: batch.rowCount)
    let chosen = rows.map { numbered.gathered($0) } ?? numbered
    let (block, offsets) = RowPacking.pack(chosen)
    for index in offsets.indices {
      let end = index + 1 < offsets.count ? offsets[index + 1] : block.count
      let part = keys.withKey(rows.map { Int($0[index]) } ?? index) { Self.part(of: $0) }
      block.withUnsafeBytes { bytes in
        pending[part].append(contentsOf: bytes[offsets[index]..<end])
      }
      if pending[part].count >= flushSize { try flush(part) }
    }
  }

  /// Calls `body` with the rows of a part, batch by batch.
  func forEach(_ part: Int, _ body: (Batch, _ numbers: [Int64]) throws -> Void) throws {
    try flush(part)
    try file.flush()
    for range in ranges[part] {
      let block = try ByteBuffer(capacity: range.count) {
        try file.read(at: range.lowerBound, into: $0)
      }
      guard block.count == range.count else {
        throw AggregateError(.internal, "a temporary file ended too early")
      }
      var starts: [Int] = []
      var position = 0
      while position < block.count {
        starts.append(position)
        position += block.withUnsafeBytes {
          RowPacking.length(
            UnsafeRawBufferPointer(rebasing: $0[position...]),
            columnCount: packedSchema.columns.count)
        }
      }
      for first in stride(from: 0, to: starts.count, by: Batch.defaultRowCount) {
        let part = starts[first..<min(first + Batch.defaultRowCount, starts.count)]
        let packed = RowPacking.unpack(count: part.count, schema: packedSchema) { row in
          block.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[part[first + row]...]) }
        }
        guard case .ints(let numbers) = packed.columns.last else { continue }
        try body(
          Batch(schema: schema, columns: packed.columns.dropLast(), rowCount: packed.rowCount),
          numbers.values)
      }
    }
  }

  private func flush(_ part: Int) throws {
    if pending[part].isEmpty { return }
    let start = file.count
    try pending[part].withUnsafeBytes { try file.append($0) }
    ranges[part].append(start..<file.count)
    pending[part].removeAll(keepingCapacity: true)
  }

  /// A hash other than the one of ``KeyTable``, so that the keys of a part spread in a table.
  private static func part(of key: UnsafeRawBufferPointer) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
    return Int(hash >> 58)
  }
}
