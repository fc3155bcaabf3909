import AggregateCore
import AggregateJSON

/// Values inside nested values.
enum NestedAccess {
  /// What lies at `path` inside each value of `column`; absent where there is nothing.
  static func column(_ column: Column, path: [String]) -> Column {
    if path.isEmpty { return column }
    guard case .spans(let spans) = column else { return .nulls(column.count, .absent) }
    return .spans(anyCase(spans, path, NestedValues.extract(spans, path: path)))
  }

  /// The second operand where the first is nested, else the third.
  static let nestedOrFlat: Kernel = { arguments, frame in
    guard case .column(let outer) = arguments[0] else { return arguments[2] }
    var nested: [Int32] = []
    var flat: [Int32] = []
    for row in 0..<frame.count {
      if outer.kind(at: row).isNested { nested.append(Int32(row)) } else { flat.append(Int32(row)) }
    }
    return Merge.merged(
      [
        Merge.Piece(rows: nested, operand: arguments[1].gathered(nested)),
        Merge.Piece(rows: flat, operand: arguments[2].gathered(flat)),
      ], .any, frame)
  }

  /// `found`, completed by keys that differ from the path only by case.
  private static func anyCase(
    _ spans: SpanColumn, _ path: [String], _ found: SpanColumn
  ) -> SpanColumn {
    guard let last = path.last.map({ Array($0.utf8) }), !last.isEmpty else { return found }
    var candidates: [Int] = []
    let outer = spans.cells
    for (row, cell) in found.cells.enumerated()
    where cell.kind == .absent && outer[row].kind.isNested {
      let range = outer[row].range
      let mayMatch = spans.buffer.withUnsafeBytes {
        hasKey(UnsafeRawBufferPointer(rebasing: $0[range]), last)
      }
      if mayMatch { candidates.append(row) }
    }
    if candidates.isEmpty { return found }
    var nodes: [Int: JSONNode] = [:]
    for row in candidates {
      nodes[row] = node(spans.buffer.copy(spans.cells[row].range), path)
    }
    if nodes.isEmpty { return found }
    var out = ByteBuilder(capacity: 1024)
    var cells: [Cell] = []
    cells.reserveCapacity(found.cells.count)
    for (row, cell) in found.cells.enumerated() {
      let start = out.count
      if let node = nodes[row] {
        out.append(node.document.buffer, node.range)
        cells.append(Cell(node.kind, offset: start, length: out.count - start))
      } else {
        out.append(found.buffer, cell.range)
        cells.append(Cell(cell.kind, offset: start, length: cell.length))
      }
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }

  /// Whether `"key"` stands in `text` in any case of its ASCII letters.
  private static func hasKey(_ text: UnsafeRawBufferPointer, _ key: [UInt8]) -> Bool {
    var i = 0
    let last = text.count - key.count - 2
    while i <= last {
      if text[i] == UInt8(ascii: "\""), text[i + 1] | 0x20 == key[0] | 0x20,
        text[i + 1 + key.count] == UInt8(ascii: "\"")
      {
        var k = 1
        while k < key.count, text[i + 1 + k] | 0x20 == key[k] | 0x20 { k += 1 }
        if k == key.count { return true }
      }
      i += 1
    }
    return false
  }

  private static func node(_ text: [UInt8], _ path: [String]) -> JSONNode? {
    var node = (try? JSONDocument(parsing: ByteBuffer(text)))?.root
    for element in path {
      guard let current = node else { return nil }
      if current.kind == .array {
        node = Int(element).flatMap { $0 < 0 ? nil : current[$0] }
        continue
      }
      let exact = current[element]
      if exact != nil {
        node = exact
        continue
      }
      let wanted = element.lowercased()
      let matches = current.members.filter { $0.key.string?.lowercased() == wanted }
      node = matches.count == 1 ? matches[0].value : nil
    }
    return node
  }
}
