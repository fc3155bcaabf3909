public import AggregateCore

/// The names of the columns of a CSV or TSV text.
public struct CSVHeader: Sendable {
  /// Unique names, in order.
  public let names: [String]
  /// Names that stood there more than once, as they were written.
  public let duplicates: [String]

  /// Makes unique names of the cells of a header: an empty one becomes `column_N`, counted from 1,
  /// and a repeated one `x_2`, `x_3` …, past names that stand in the header themselves.
  public init(cells: [String]) {
    let written = Set(cells)
    var used: Set<String> = []
    var next: [String: Int] = [:]
    var names: [String] = []
    var duplicates: [String] = []
    for (index, cell) in cells.enumerated() {
      let wanted = cell.isEmpty ? "column_\(index + 1)" : cell
      if !(cell.isEmpty && written.contains(wanted)), used.insert(wanted).inserted {
        names.append(wanted)
        continue
      }
      if !cell.isEmpty && !duplicates.contains(cell) { duplicates.append(cell) }
      var number = next[wanted, default: 2]
      while written.contains("\(wanted)_\(number)") || used.contains("\(wanted)_\(number)") {
        number += 1
      }
      next[wanted] = number + 1
      used.insert("\(wanted)_\(number)")
      names.append("\(wanted)_\(number)")
    }
    self.names = names
    self.duplicates = duplicates
  }

  /// The names of a text without a header: `column_1`, `column_2` …
  public init(count: Int) {
    names = (0..<count).map { "column_\($0 + 1)" }
    duplicates = []
  }

  /// The schema of the rows: all columns, and `_extra` when rows may have more cells.
  public func schema(ragged: Bool) -> Schema {
    var columns = names.map { ColumnSpec($0) }
    if ragged && !names.contains(Schema.overflowName) {
      columns.append(
        ColumnSpec(Schema.overflowName, .list, description: "Cells beyond the last column."))
    }
    return Schema(columns)
  }
}
