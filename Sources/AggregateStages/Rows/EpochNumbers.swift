internal import AggregateCore

/// Numbers as points in time: seconds since 1970, or milliseconds where that would be too far away.
enum EpochNumbers {
  /// `column` with its numbers as ISO 8601; what is no number, or no time, stays.
  static func timed(_ column: Column) -> Column {
    let rows = 0..<column.count
    guard rows.contains(where: { column.kind(at: $0).isNumber }) else { return column }
    var cells = CellBuilder()
    for row in rows {
      if column.kind(at: row).isNumber, let instant = instant(column.value(at: row).displayText) {
        cells.append(.instant(instant))
      } else {
        cells.append(row, of: column)
      }
    }
    return cells.finish()
  }

  private static func instant(_ text: String) -> Instant? {
    guard let value = Double(text), abs(value) < 2.5e14 else { return nil }
    var text = text
    return text.withUTF8 { InstantParser.epoch(UnsafeRawBufferPointer($0)) }
  }
}
