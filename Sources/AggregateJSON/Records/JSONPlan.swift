internal import AggregateCore
internal import CSimdjson
internal import Synchronization

/// The compiled paths of a reader, and readers at rest, so that chunks do not pay for making them.
///
/// The plan never changes once built. A reader at rest is used by one thread at a time.
final class JSONPlan: @unchecked Sendable {
  let columnCount: Int
  let overflow: Int?
  private let plan: OpaquePointer?
  private let resting = Mutex<[JSONPlanReader]>([])

  /// Compiles one path per column; an empty path is the whole record.
  ///
  /// Without `hasValueField`, records that are no objects have no field `value`.
  init(paths: [[String]], overflow: Int?, hasValueField: Bool = true) {
    columnCount = paths.count
    self.overflow = overflow
    plan = csimdjson_plan_create()
    guard let plan else { return }
    for (column, path) in paths.enumerated() where column != overflow {
      Self.withBytes(of: path) {
        csimdjson_plan_add(plan, UInt32(column), $0.baseAddress, $0.count)
      }
    }
    if !hasValueField { csimdjson_plan_set_no_value_field(plan) }
    if let overflow { csimdjson_plan_set_overflow(plan, UInt32(overflow)) }
  }

  deinit {
    for reader in resting.withLock({ $0 }) { reader.destroy() }
    if let plan { csimdjson_plan_destroy(plan) }
  }

  /// Calls `body` with a reader that no other thread uses meanwhile; nil when memory is short.
  func withReader<R>(_ body: (JSONPlanReader) throws -> R) rethrows -> R? {
    var reader = resting.withLock { $0.popLast() }
    if reader == nil, let plan { reader = JSONPlanReader(plan: plan, columnCount: columnCount) }
    guard let reader else { return nil }
    defer { resting.withLock { $0.append(reader) } }
    return try body(reader)
  }

  private static func withBytes(
    of path: [String], _ body: (UnsafeBufferPointer<CSimdjsonBytes>) -> Void
  ) {
    var joined: [UInt8] = []
    for element in path { joined += element.utf8 }
    joined.append(0)
    joined.withUnsafeBufferPointer { bytes in
      var start = 0
      let elements = path.map { element in
        defer { start += element.utf8.count }
        return CSimdjsonBytes(
          bytes: bytes.baseAddress.map { $0 + start }, count: element.utf8.count)
      }
      elements.withUnsafeBufferPointer(body)
    }
  }
}

/// A C reader with room for the cells of one batch, column after column.
struct JSONPlanReader: @unchecked Sendable {
  let handle: OpaquePointer
  let rowCapacity: Int
  private let cells: UnsafeMutablePointer<UInt64>
  private let columnCount: Int
  private let stride: Int

  init?(plan: OpaquePointer, columnCount: Int) {
    guard let handle = csimdjson_reader_create(plan) else { return nil }
    self.handle = handle
    self.columnCount = columnCount
    // Wide schemas get shorter batches, so that the room stays small.
    let budget = 1 << 17
    rowCapacity = min(Batch.defaultRowCount, max(1, budget / max(columnCount, 1)))
    // One row more, for looking what stands behind the last.
    stride = rowCapacity + 1
    cells = .allocate(capacity: max(1, stride * columnCount))
  }

  func destroy() {
    csimdjson_reader_destroy(handle)
    cells.deallocate()
  }

  /// Starts on a range, which must lie inside `bytes`.
  ///
  /// - Parameter isSameBuffer: Whether the call before was on the same bytes.
  func begin(
    _ bytes: UnsafeRawBufferPointer, in range: Range<Int>, separator: CSimdjsonSeparator,
    isLast: Bool, isSameBuffer: Bool = false
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    guard let base = bytes.baseAddress else { return }
    csimdjson_reader_begin(
      handle, base.assumingMemoryBound(to: UInt8.self), range.lowerBound, range.upperBound,
      separator, isLast, isSameBuffer)
  }

  /// Reads up to `maximum` rows to row `row` on; returns how many came.
  func read(maximum: Int, at row: Int = 0) -> Int {
    precondition(row >= 0 && maximum >= 0 && row + maximum <= stride)
    return csimdjson_reader_read(handle, cells + row, stride, maximum)
  }

  /// Makes row `row` a row without values.
  func clear(row: Int) {
    precondition(row >= 0 && row < rowCapacity)
    for column in 0..<columnCount { cells[column * stride + row] = 0 }
  }

  var status: CSimdjsonStatus { csimdjson_reader_status(handle) }

  /// The first `count` cells of a column.
  func column(_ column: Int, count: Int) -> [Cell] {
    precondition(column < columnCount && count <= rowCapacity)
    let start = cells + column * stride
    return [Cell](unsafeUninitializedCapacity: count) { target, initialized in
      for row in 0..<count { target.initializeElement(at: row, to: Cell(bits: start[row])) }
      initialized = count
    }
  }

  /// The bytes that the overflow cells of the last batch point into.
  var overflow: UnsafeRawBufferPointer {
    let bytes = csimdjson_reader_overflow(handle)
    return UnsafeRawBufferPointer(start: bytes.bytes, count: bytes.count)
  }
}
