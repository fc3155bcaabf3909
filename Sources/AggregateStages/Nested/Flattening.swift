internal import AggregateCore
internal import AggregateJSON

/// Finds the leaves of nested values and takes them out, column by column.
struct Flattening: Sendable {
  /// A place inside a column, with its values.
  struct Leaf {
    let path: [String]
    let column: Column
  }

  /// Whether the elements of lists are leaves, and not the lists.
  let indexesLists: Bool

  /// The leaves of `column` in the order in which they first appear; an empty path is the value itself.
  ///
  /// A column without nested values is its own leaf. A column without any value has no leaf.
  func leaves(of column: Column) -> [Leaf] {
    guard case .spans(let spans) = column else { return [Leaf(path: [], column: column)] }
    var hasObjects = false
    var hasLists = false
    for cell in spans.cells {
      if cell.kind == .object { hasObjects = true }
      if cell.kind == .array { hasLists = true }
    }
    if !hasObjects && !(hasLists && indexesLists) {
      let isAbsent = spans.cells.allSatisfy { $0.kind == .absent }
      return isAbsent ? [] : [Leaf(path: [], column: column)]
    }
    var leaves = own(spans)
    if hasObjects {
      let paths = NestedValues.leafPaths(spans).filter { !$0.isEmpty }
      for (path, values) in zip(paths, NestedValues.extract(spans, paths: paths)) {
        let kept = Column.spans(withoutInner(values, isBeneath: paths, path))
        if indexesLists {
          leaves += self.leaves(of: kept).map { Leaf(path: path + $0.path, column: $0.column) }
        } else {
          leaves.append(Leaf(path: path, column: kept))
        }
      }
    }
    if hasLists && indexesLists { leaves += elements(spans) }
    return leaves
  }

  /// The values that are leaves themselves: scalars, empty objects, and lists that stay or are empty.
  private func own(_ spans: SpanColumn) -> [Leaf] {
    var isAbsent = true
    var kept: [Cell] = []
    spans.withCells { bytes, cells in
      for row in cells.indices {
        let cell = cells[row]
        let isOpened =
          (cell.kind == .object || cell.kind == .array && indexesLists) && !isEmpty(bytes, cell)
        kept.append(isOpened ? .absent : cell)
        if !isOpened && cell.kind != .absent { isAbsent = false }
      }
    }
    if isAbsent { return [] }
    return [Leaf(path: [], column: .spans(SpanColumn(buffer: spans.buffer, cells: kept)))]
  }

  private func isEmpty(_ bytes: UnsafeRawBufferPointer, _ cell: Cell) -> Bool {
    bytes[cell.range].dropFirst().dropLast().allSatisfy { $0 <= 0x20 }
  }

  /// Where a path is a leaf in one row and an object in another, the object's values have their own columns.
  private func withoutInner(
    _ spans: SpanColumn, isBeneath paths: [[String]], _ path: [String]
  ) -> SpanColumn {
    guard paths.contains(where: { $0.count > path.count && $0.starts(with: path) }) else {
      return spans
    }
    var kept: [Cell] = []
    spans.withCells { bytes, cells in
      for row in cells.indices {
        let cell = cells[row]
        let isOpened = cell.kind == .object && !isEmpty(bytes, cell)
        kept.append(isOpened ? .absent : cell)
      }
    }
    return SpanColumn(buffer: spans.buffer, cells: kept)
  }

  private func elements(_ spans: SpanColumn) -> [Leaf] {
    var columns: [[Cell]] = []
    let count = spans.cells.count
    spans.withCells { bytes, cells in
      for row in cells.indices where cells[row].kind == .array {
        var index = 0
        ArrayElements.forEach(bytes, cells[row].range) { element in
          if index == columns.count { columns.append(Array(repeating: .absent, count: count)) }
          columns[index][row] = element
          index += 1
        }
      }
    }
    return columns.enumerated().flatMap { index, cells in
      leaves(of: .spans(SpanColumn(buffer: spans.buffer, cells: cells))).map {
        Leaf(path: [String(index)] + $0.path, column: $0.column)
      }
    }
  }
}
