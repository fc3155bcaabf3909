internal import AggregateCore

/// Brings rows that come part by part into the order of their numbers.
final class NumberedRows {
  private let sorter: RowSorter

  /// Creates an empty collection of rows of `schema`.
  init(_ schema: Schema, _ context: StageContext) {
    sorter = RowSorter(schema: schema, context)
  }

  /// Adds the rows of `batch`; rows of one number keep their order.
  func append(_ batch: Batch, numbers: [Int64]) throws {
    var bytes = ByteBuilder(capacity: 8 * numbers.count)
    for number in numbers {
      withUnsafeBytes(of: UInt64(bitPattern: number).bigEndian) { bytes.append($0) }
    }
    let starts = (0...numbers.count).map { 8 * $0 }
    try sorter.append(batch, keys: EncodedKeys(bytes: bytes.finish(), starts: starts, nulls: nil))
  }

  /// Emits all rows in the order of their numbers, until nothing more is wanted.
  func emit(_ emit: (Batch) throws -> Demand) throws -> Demand { try sorter.emit(emit) }
}
