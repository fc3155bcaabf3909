internal import AggregateCore

/// Lists as the joined texts of their elements, for `--list-separator`.
enum ListJoining {
  /// The same rows with every list joined; nested elements stay JSON text and null is empty.
  static func joined(_ batch: Batch, separator: String) -> Batch {
    let columns = batch.columns.map { column -> Column in
      guard case .spans(let spans) = column,
        spans.cells.contains(where: { $0.kind == .array })
      else { return column }
      return .spans(joined(spans, separator: separator))
    }
    return Batch(schema: batch.schema, columns: columns, rowCount: batch.rowCount)
  }

  private static func joined(_ spans: SpanColumn, separator: String) -> SpanColumn {
    let plain = Rendering.cells(.spans(spans), decodingEscapes: true)
    return plain.withCells { source, cells in
      var bytes = ByteBuilder(capacity: source.count)
      var moved: [Cell] = []
      moved.reserveCapacity(cells.count)
      for index in cells.indices {
        let cell = cells[index]
        let text = UnsafeRawBufferPointer(rebasing: source[cell.range])
        let start = bytes.count
        if cell.kind == .array {
          for (position, item) in JSONBytes.items(text).enumerated() {
            if position > 0 { bytes.append(separator) }
            append(UnsafeRawBufferPointer(rebasing: text[item]), into: &bytes)
          }
          moved.append(Cell(.text, offset: start, length: bytes.count - start))
        } else {
          bytes.append(text)
          moved.append(Cell(cell.kind, offset: start, length: cell.length))
        }
      }
      return SpanColumn(buffer: bytes.finish(), cells: moved)
    }
  }

  private static func append(_ item: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    if item.first == UInt8(ascii: "\""), item.count >= 2 {
      EscapedText.decode(UnsafeRawBufferPointer(rebasing: item[1..<item.count - 1]), into: &out)
    } else if !item.elementsEqual("null".utf8) {
      out.append(item)
    }
  }
}
