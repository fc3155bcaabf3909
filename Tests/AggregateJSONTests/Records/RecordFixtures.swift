import AggregateCore
import AggregateJSON
import Foundation
import Testing

/// What the tests of this folder share.
enum RecordFixtures {
  /// The project's root, found from this file.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A schema of one column per path, named by it.
  static func schema(_ paths: [String], isOpen: Bool = false) -> Schema {
    var columns = paths.map { ColumnSpec($0, path: ColumnPath(text: $0)) }
    if isOpen { columns.append(ColumnSpec(Schema.overflowName, .json)) }
    return Schema(columns, isOpen: isOpen)
  }

  /// Each row as `kind:raw text` per column.
  static func rows(_ batches: [Batch]) -> [[String]] {
    batches.flatMap { batch in
      (0..<batch.rowCount).map { row in batch.columns.map { describe($0, row) } }
    }
  }

  static func describe(_ column: Column, _ row: Int) -> String {
    guard case .spans(let spans) = column else { return "computed" }
    let cell = spans.cells[row]
    switch cell.kind {
    case .absent: return "-"
    default: return "\(cell.kind):\(spans.buffer.text(cell.range))"
    }
  }

  static func read(
    _ text: String, _ paths: [String], isOpen: Bool = false,
    separator: RecordSeparator = .whitespace, isLast: Bool = true
  ) -> JSONReadResult {
    let buffer = ByteBuffer(text)
    return JSONRecordReader(schema: schema(paths, isOpen: isOpen)).read(
      buffer, in: 0..<buffer.count, separator: separator, isLast: isLast)
  }

  /// The rows of `bytes`, chunked with blocks of `blockSize` and chunks of `chunkSize`, and the error.
  static func stream(
    _ bytes: [UInt8], mode: JSONChunker.Mode, paths: [String], blockSize: Int, chunkSize: Int,
    isEager: Bool = false
  ) -> (rows: [[String]], error: String?) {
    var chunker = JSONChunker(mode: mode, targetSize: chunkSize)
    let reader = JSONRecordReader(schema: schema(paths, isOpen: true))
    var rows: [[String]] = []
    var position = 0
    do {
      while true {
        while let chunk = try chunker.next(isEager: isEager) {
          let result = reader.read(
            chunk.buffer, in: chunk.range, separator: chunk.separator, isLast: true)
          let before = rows.count
          rows += self.rows(result.batches)
          if let failure = result.failure {
            throw failure.error(recordsBefore: before, bytesBefore: chunk.offset)
          }
        }
        if position == bytes.count {
          chunker.finish()
          position += 1
        } else if position < bytes.count {
          let stop = min(bytes.count, position + blockSize)
          bytes[position..<stop].withUnsafeBytes { chunker.append($0) }
          position = stop
        } else {
          return (rows, nil)
        }
      }
    } catch {
      return (rows, "\(error)")
    }
  }
}
