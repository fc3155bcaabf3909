internal import AggregateCore

/// Two overflow columns as one.
enum OverflowMerging {
  /// The members of both objects of each row, those of `first` before those of `second`.
  static func merged(_ first: Column, _ second: Column) -> Column {
    let rows = 0..<first.count
    if rows.allSatisfy({ second.kind(at: $0).isNull }) { return first }
    if rows.allSatisfy({ first.kind(at: $0).isNull }) { return second }
    var cells = CellBuilder()
    for row in rows {
      guard case .object = first.kind(at: row), case .object = second.kind(at: row) else {
        cells.append(row, of: first.kind(at: row).isNull ? second : first)
        continue
      }
      let a = inside(first.value(at: row))
      let b = inside(second.value(at: row))
      cells.append(.json("{\(a)\(a.isEmpty || b.isEmpty ? "" : ",")\(b)}"))
    }
    return cells.finish()
  }

  /// An object per row of the values of `columns`; absent where a row has none.
  static func objects(_ columns: [(name: String, column: Column)], rowCount: Int) -> Column {
    if columns.isEmpty { return .nulls(rowCount, .absent) }
    var bytes = ByteBuilder()
    let cells = (0..<rowCount).map { row -> Cell in
      let start = bytes.count
      for (name, column) in columns {
        let before = bytes.count
        bytes.append(before == start ? "{" : ",")
        bytes.append(EscapedText.quoted(name))
        bytes.append(UInt8(ascii: ":"))
        if !JSONText.append(row, of: column, into: &bytes) { bytes.truncate(to: before) }
      }
      if bytes.count == start { return .absent }
      bytes.append(UInt8(ascii: "}"))
      return Cell(.object, offset: start, length: bytes.count - start)
    }
    return .spans(SpanColumn(buffer: bytes.finish(), cells: cells))
  }

  /// What stands between the braces of an object.
  private static func inside(_ object: Value) -> Substring {
    let inside = object.displayText.dropFirst().dropLast()
    return inside.allSatisfy(\.isWhitespace) ? "" : inside
  }
}
