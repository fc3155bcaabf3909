public import AggregateCore
internal import CSimdjson

/// Values inside columns of raw JSON objects and arrays.
public enum NestedValues {
  /// The value at `path` inside each cell, in the same buffer; absent where there is none.
  ///
  /// Elements are object keys and, in digits, array indexes counted from 0. An empty path gives the column back.
  public static func extract(_ column: SpanColumn, path: [String]) -> SpanColumn {
    if path.isEmpty { return column }
    return extract(column, paths: [path]).first ?? column
  }

  /// The values at each of `paths`, each cell being walked once.
  public static func extract(_ column: SpanColumn, paths: [[String]]) -> [SpanColumn] {
    let plan = JSONPlan(paths: paths, overflow: nil, hasValueField: false)
    var results: [[Cell]] = Array(repeating: [], count: paths.count)
    for index in results.indices { results[index].reserveCapacity(column.cells.count) }
    column.buffer.withUnsafeBytes { bytes in
      _ = plan.withReader { reader in
        var start = 0
        var isFirst = true
        while start < column.cells.count {
          let stop = min(column.cells.count, start + reader.rowCapacity)
          for row in start..<stop {
            let cell = column.cells[row]
            guard cell.kind.isNested else {
              reader.clear(row: row - start)
              continue
            }
            reader.begin(
              bytes, in: cell.range, separator: CSIMDJSON_SINGLE, isLast: true,
              isSameBuffer: !isFirst)
            isFirst = false
            if reader.read(maximum: 1, at: row - start) == 0 { reader.clear(row: row - start) }
          }
          for index in results.indices {
            results[index] += reader.column(index, count: stop - start)
          }
          start = stop
        }
      }
    }
    return results.enumerated().map { index, cells in
      if paths[index].isEmpty || cells.count != column.cells.count { return column }
      return SpanColumn(buffer: column.buffer, cells: cells)
    }
  }

  /// The paths to the leaves of the object cells, in first-seen order.
  ///
  /// Scalars, arrays and empty objects are leaves. When a path is a leaf in one row and an object
  /// in another, both it and the paths below it are listed.
  public static func leafPaths(_ column: SpanColumn) -> [[String]] {
    let collector = JSONPathCollector()
    column.buffer.withUnsafeBytes { bytes in
      for cell in column.cells where cell.kind == .object {
        collector.addLeaves(bytes, in: cell.range)
      }
    }
    return collector.paths
  }
}
