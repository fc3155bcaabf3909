internal import AggregateCore

/// Computed columns as text: what a writer that knows only cells needs.
enum Rendering {
  /// The column as cells; computed values are written out.
  ///
  /// - Parameters:
  ///   - decodingEscapes: Whether JSON escapes in text are undone, so that every text is plain.
  ///   - nonFinite: Whether infinity and NaN are text; otherwise they are null, for JSON.
  static func cells(
    _ column: Column, decodingEscapes: Bool, nonFinite: Bool = true
  ) -> SpanColumn {
    switch column {
    case .spans(let spans):
      guard decodingEscapes, spans.cells.contains(where: { $0.kind == .escapedText }) else {
        return spans
      }
      return decoded(spans)
    case .ints(let vector):
      return rendered(vector, .integer) { value, out in out.append(decimal: value) }
    case .doubles(let vector):
      return rendered(vector, .real) { value, out in
        out.append(NumberText.shortest(value))
      } kind: {
        $0.isFinite ? .real : nonFinite ? .text : .null
      }
    case .bools(let vector):
      let cells = vector.values.indices.map { row -> Cell in
        vector[row].map { Cell($0 ? .true : .false) } ?? .null
      }
      return SpanColumn(buffer: .empty, cells: cells)
    case .instants(let vector):
      return rendered(vector, .text) { value, out in out.append(value.iso8601) }
    case .dates(let vector):
      return rendered(vector, .text) { value, out in out.append(value.iso8601) }
    }
  }

  private static func rendered<Element>(
    _ vector: Vector<Element>, _ kind: CellKind, _ write: (Element, inout ByteBuilder) -> Void,
    kind kindOf: ((Element) -> CellKind)? = nil
  ) -> SpanColumn {
    let count = vector.values.count
    var bytes = ByteBuilder(capacity: count * 12)
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    for row in 0..<count {
      guard let value = vector[row] else {
        cells.append(.null)
        continue
      }
      let kind = kindOf?(value) ?? kind
      if kind == .null {
        cells.append(.null)
        continue
      }
      let start = bytes.count
      write(value, &bytes)
      cells.append(Cell(kind, offset: start, length: bytes.count - start))
    }
    return SpanColumn(buffer: bytes.finish(), cells: cells)
  }

  private static func decoded(_ spans: SpanColumn) -> SpanColumn {
    spans.withCells { source, cells in
      var total = 0
      for i in cells.indices { total += cells[i].length }
      var bytes = ByteBuilder(capacity: total)
      var moved: [Cell] = []
      moved.reserveCapacity(cells.count)
      for i in cells.indices {
        let cell = cells[i]
        let start = bytes.count
        let text = UnsafeRawBufferPointer(rebasing: source[cell.range])
        if cell.kind == .escapedText {
          EscapedText.decode(text, into: &bytes)
          moved.append(Cell(.text, offset: start, length: bytes.count - start))
        } else {
          bytes.append(text)
          moved.append(Cell(cell.kind, offset: start, length: cell.length))
        }
      }
      return SpanColumn(buffer: bytes.finish(), cells: moved)
    }
  }
}

extension ByteBuilder {
  /// Appends an integer in decimal digits.
  mutating func append(decimal value: Int64) {
    append(maximum: 20) { target in
      var digits = value.magnitude
      var index = 20
      repeat {
        index -= 1
        target[index] = UInt8(truncatingIfNeeded: digits % 10) &+ 48
        digits /= 10
      } while digits > 0
      if value < 0 {
        index -= 1
        target[index] = UInt8(ascii: "-")
      }
      let length = 20 - index
      if index > 0 { for i in 0..<length { target[i] = target[index + i] } }
      return length
    }
  }
}
