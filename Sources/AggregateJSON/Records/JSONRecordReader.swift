public import AggregateCore
internal import CSimdjson

/// Reads JSON records into rows of span cells, validating every byte and copying none.
///
/// A cell is the raw text of a value in the buffer that was read. A column takes the value at its
/// `path` (its name as a key when it has none); a record without it gives an absent cell. A record
/// that is no object counts as an object with the one key `value`. Nesting deeper than 1024 is an
/// error. Any number of threads may read with the same reader.
public struct JSONRecordReader: Sendable {
  /// The columns of the rows.
  public let schema: Schema
  let plan: JSONPlan

  /// Creates a reader of rows of `schema`; an open schema's last column gathers unnamed keys.
  public init(schema: Schema) {
    self.init(schema: schema, paths: schema.columns.map { $0.path?.elements ?? [$0.name] })
  }

  /// Creates a reader that takes column i from `paths[i]`; an empty path is the whole record.
  public init(schema: Schema, paths: [[String]]) {
    precondition(paths.count == schema.columns.count)
    self.schema = schema
    plan = JSONPlan(paths: paths, overflow: schema.isOpen ? schema.columns.count - 1 : nil)
  }

  /// Reads the records in a range of `buffer`, up to its end or the first malformed one.
  ///
  /// - Parameter isLast: Whether the input ends with the range, so that a record cut off by it is an error.
  /// - Complexity: One pass of simdjson's first stage and one over the structural characters.
  public func read(
    _ buffer: ByteBuffer, in range: Range<Int>, separator: RecordSeparator, isLast: Bool
  ) -> JSONReadResult {
    buffer.withUnsafeBytes { bytes in
      let result = plan.withReader { reader in
        reader.begin(bytes, in: range, separator: separator.code, isLast: isLast)
        return drain(reader, buffer, bytes, range, separator)
      }
      return result ?? outOfMemory(range)
    }
  }

  /// Reads records that lie anywhere in `buffer`, each range being one whole JSON value.
  ///
  /// - Throws: `AggregateError` when a range is not one valid value.
  public func read(records: [Range<Int>], of buffer: ByteBuffer) throws -> Batch {
    var duplicateKey: String?
    return try read(records: records, of: buffer, duplicateKey: &duplicateKey)
  }

  /// Reads records that lie anywhere in `buffer` and notes a key that stood twice in one of them.
  ///
  /// - Parameter duplicateKey: Set to the first such key, of which the last value was taken, unless it is set.
  /// - Throws: `AggregateError` when a range is not one valid value.
  public func read(
    records: [Range<Int>], of buffer: ByteBuffer, duplicateKey: inout String?
  ) throws -> Batch {
    var batches: [Batch] = []
    var duplicate: Range<Int>?
    try buffer.withUnsafeBytes { bytes in
      let isDone: Void? = try plan.withReader { reader in
        var start = 0
        while start < records.count {
          let stop = min(records.count, start + reader.rowCapacity)
          var overflow = ByteBuilder(capacity: 64)
          var moved: [Int: Int] = [:]
          for index in start..<stop {
            reader.begin(
              bytes, in: records[index], separator: CSIMDJSON_SINGLE, isLast: true,
              isSameBuffer: index > 0)
            let count = reader.read(maximum: 1, at: index - start)
            if count == 1, !reader.overflow.isEmpty {
              moved[index - start] = overflow.count
              overflow.append(reader.overflow)
            }
            // The second call finds what stands behind the value.
            if count == 1 {
              _ = reader.read(maximum: 1, at: index - start + 1)
            }
            if count != 1 || reader.status.state == CSIMDJSON_FAILED {
              throw failure(reader.status, bytes, records[index], .single, record: index).error()
            }
            duplicate = duplicate ?? reader.status.duplicateKey
          }
          batches.append(
            batch(reader, buffer, overflow.finish(), rows: stop - start, moved: moved))
          start = stop
        }
      }
      if isDone == nil { throw AggregateError(.limit, "there is not enough memory to read JSON") }
    }
    if duplicateKey == nil, let duplicate {
      duplicateKey = EscapedText.decoded(buffer, duplicate)
    }
    return Batch.joined(batches, schema: schema)
  }

  private func drain(
    _ reader: JSONPlanReader, _ buffer: ByteBuffer, _ bytes: UnsafeRawBufferPointer,
    _ range: Range<Int>, _ separator: RecordSeparator
  ) -> JSONReadResult {
    var result = JSONReadResult(
      batches: [], failure: nil, consumed: range.lowerBound, recordCount: 0, endsInside: false,
      duplicateKey: nil)
    while true {
      let rows = reader.read(maximum: reader.rowCapacity)
      let status = reader.status
      if rows > 0 {
        let overflow =
          plan.overflow == nil || reader.overflow.isEmpty ? ByteBuffer.empty : copy(reader.overflow)
        result.batches.append(batch(reader, buffer, overflow, rows: rows))
        result.recordCount += rows
      }
      if status.state == CSIMDJSON_MORE { continue }
      result.consumed = status.consumed
      result.endsInside = status.state == CSIMDJSON_INSIDE
      if status.state == CSIMDJSON_FAILED {
        result.failure = failure(status, bytes, range, separator, record: result.recordCount)
      }
      result.duplicateKey = status.duplicateKey.map { EscapedText.decoded(buffer, $0) }
      return result
    }
  }

  private func copy(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer {
    ByteBuffer(capacity: bytes.count) { target in
      target.copyMemory(from: bytes)
      return bytes.count
    }
  }

  private func batch(
    _ reader: JSONPlanReader, _ buffer: ByteBuffer, _ overflow: ByteBuffer, rows: Int,
    moved: [Int: Int] = [:]
  ) -> Batch {
    let columns = schema.columns.indices.map { index -> Column in
      var cells = reader.column(index, count: rows)
      guard index == plan.overflow else {
        return .spans(SpanColumn(buffer: buffer, cells: cells))
      }
      for (row, offset) in moved {
        cells[row] = Cell(cells[row].kind, offset: offset, length: cells[row].length)
      }
      return .spans(SpanColumn(buffer: overflow, cells: cells))
    }
    return Batch(schema: schema, columns: columns, rowCount: rows)
  }

  private func failure(
    _ status: CSimdjsonStatus, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>,
    _ separator: RecordSeparator, record: Int
  ) -> JSONReadFailure {
    let inside = UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound])
    let position = min(status.position, range.upperBound)
    return JSONReadFailure(
      reason: status.error == CSIMDJSON_NO_ERROR
        ? "the text is empty" : JSONFailureText.reason(status.error, at: position, in: inside),
      isLimit: JSONFailureText.isLimit(status.error), record: record, offset: position,
      resume: JSONResume.offset(
        behind: position, recordsEnd: status.consumed, in: inside, separator: separator))
  }

  private func outOfMemory(_ range: Range<Int>) -> JSONReadResult {
    JSONReadResult(
      batches: [],
      failure: JSONReadFailure(
        reason: JSONFailureText.reason(
          CSIMDJSON_NO_MEMORY, at: 0, in: UnsafeRawBufferPointer(start: nil, count: 0)),
        isLimit: true, record: 0, offset: range.lowerBound, resume: nil),
      consumed: range.lowerBound, recordCount: 0, endsInside: false, duplicateKey: nil)
  }
}

extension CSimdjsonStatus {
  /// Where the first key that stood twice is; nil when none did.
  fileprivate var duplicateKey: Range<Int>? {
    // SIZE_MAX, which says that there is none, arrives here as -1.
    duplicate_length < 0 ? nil : duplicate_offset..<duplicate_offset + duplicate_length
  }
}

extension RecordSeparator {
  var code: CSimdjsonSeparator {
    switch self {
    case .whitespace: CSIMDJSON_WHITESPACE
    case .comma: CSIMDJSON_COMMA
    case .single: CSIMDJSON_SINGLE
    }
  }
}

extension Batch {
  /// The rows of all `batches`, whose span columns share their buffers except for the overflow's.
  package static func joined(_ batches: [Batch], schema: Schema) -> Batch {
    guard let first = batches.first else { return .empty(schema) }
    if batches.count == 1 { return first }
    let columns = schema.columns.indices.map { index -> Column in
      let spans = batches.compactMap { batch -> SpanColumn? in
        guard case .spans(let column) = batch.columns[index] else { return nil }
        return column
      }
      if let buffer = spans.first?.buffer, spans.allSatisfy({ $0.buffer === buffer }) {
        return .spans(SpanColumn(buffer: buffer, cells: spans.flatMap(\.cells)))
      }
      var bytes = ByteBuilder()
      var cells: [Cell] = []
      for column in spans {
        let base = bytes.count
        bytes.append(column.buffer, 0..<column.buffer.count)
        cells += column.cells.map { Cell($0.kind, offset: $0.offset + base, length: $0.length) }
      }
      return .spans(SpanColumn(buffer: bytes.finish(), cells: cells))
    }
    return Batch(
      schema: schema, columns: columns, rowCount: batches.reduce(0) { $0 + $1.rowCount })
  }
}
