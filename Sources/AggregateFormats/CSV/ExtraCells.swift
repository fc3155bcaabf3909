internal import AggregateCore

/// The cells beyond the last column, row by row: JSON arrays for the column `_extra`.
struct ExtraCells {
  private var bytes: [UInt8] = []
  private var cells: [Cell] = []

  /// Appends the extra cells of a row; null when there are none.
  mutating func append(_ extra: [Cell], of source: UnsafeRawBufferPointer) {
    if extra.isEmpty {
      cells.append(.null)
      return
    }
    let start = bytes.count
    bytes.append(UInt8(ascii: "["))
    for (index, cell) in extra.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let text = UnsafeRawBufferPointer(rebasing: source[cell.range])
      switch cell.kind {
      case .null, .absent: bytes.append(contentsOf: "null".utf8)
      case .integer, .real: bytes.append(contentsOf: text)
      default:
        bytes.append(contentsOf: EscapedText.quoted(String(decoding: text, as: UTF8.self)).utf8)
      }
    }
    bytes.append(UInt8(ascii: "]"))
    cells.append(Cell(.array, offset: start, length: bytes.count - start))
  }

  /// The column.
  func column() -> Column { .spans(SpanColumn(buffer: ByteBuffer(bytes), cells: cells)) }
}
