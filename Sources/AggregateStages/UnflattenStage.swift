internal import AggregateCore

/// Builds nested values from columns whose names are paths.
struct UnflattenStage: Stage {
  static let spec = StageSpec(
    "unflatten", "Build nested values from columns whose names are paths, such as city.name.",
    options: [],
    shorthand: .none,
    discussion: """
      Columns whose names begin alike become one column of objects, where the first of them stood. A dot \
      that belongs to a key is written \\. in a name. Absent values leave their key out. It undoes flatten.
      """,
    example: "unflatten: {}")

  init(_ options: Options, _ diagnostics: inout Diagnostics) {}

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    var trees: [PathTree] = []
    for (index, column) in schema.columns.enumerated() {
      let path = Self.path(of: column.name)
      if let place = trees.firstIndex(where: { $0.key == path[0] }) {
        trees[place].insert(path.dropFirst(), index)
      } else {
        var tree = PathTree(key: path[0])
        tree.insert(path.dropFirst(), index)
        trees.append(tree)
      }
    }
    let columns = trees.map { tree -> ColumnSpec in
      var column =
        tree.onlyLeaf.map { schema.columns[$0] }
        ?? ColumnSpec(tree.key, tree.leaf == nil ? .json : .any)
      column.name = tree.key
      column.path = ColumnPath([tree.key])
      return column
    }
    return .rows(Unflatten(output: try schema.replacing(columns, at: nil), trees: trees))
  }

  /// The path that `name` is the text of; a name that is no path's text is a key as it stands.
  private static func path(of name: String) -> [String] {
    let path = ColumnPath(text: name)
    return path.description == name ? path.elements : [name]
  }

  private struct Unflatten: RowTransform {
    let output: Schema
    let trees: [PathTree]

    func apply(_ batch: Batch) throws -> Batch {
      let columns = try trees.map { tree -> Column in
        if let leaf = tree.onlyLeaf { return batch.columns[leaf] }
        var cells = CellBuilder()
        for row in 0..<batch.rowCount { try append(tree, row, batch, to: &cells) }
        return cells.finish()
      }
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }

    private func append(
      _ tree: PathTree, _ row: Int, _ batch: Batch, to cells: inout CellBuilder
    ) throws {
      var object = ByteBuilder()
      if try tree.write(row, batch, into: &object) {
        object.withUnsafeBytes { bytes in cells.append(.object) { $0.append(bytes) } }
      } else if let leaf = tree.leaf {
        cells.append(row, of: batch.columns[leaf])
      } else {
        cells.append(Cell.absent)
      }
    }
  }
}
