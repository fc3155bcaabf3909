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

/// The columns whose paths begin alike.
struct PathTree: Sendable {
  let key: String
  /// The column whose path ends here.
  private(set) var leaf: Int?
  private(set) var children: [PathTree] = []

  init(key: String) { self.key = key }

  /// The column that alone makes the tree.
  var onlyLeaf: Int? { children.isEmpty ? leaf : nil }

  mutating func insert(_ path: ArraySlice<String>, _ column: Int) {
    guard let first = path.first else {
      leaf = column
      return
    }
    if let place = children.firstIndex(where: { $0.key == first }) {
      children[place].insert(path.dropFirst(), column)
    } else {
      var child = PathTree(key: first)
      child.insert(path.dropFirst(), column)
      children.append(child)
    }
  }

  /// Appends the object of the children's values; gives back whether there is one.
  ///
  /// - Throws: ``AggregateError`` when the row has both a value here and values below.
  func write(_ row: Int, _ batch: Batch, into out: inout ByteBuilder) throws -> Bool {
    let start = out.count
    for child in children {
      let before = out.count
      out.append(before == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
      out.append(EscapedText.quoted(child.key))
      out.append(UInt8(ascii: ":"))
      if try child.write(row, batch, into: &out) { continue }
      if let leaf = child.leaf, JSONText.append(row, of: batch.columns[leaf], into: &out) {
        continue
      }
      out.truncate(to: before)
    }
    if out.count == start { return false }
    out.append(UInt8(ascii: "}"))
    // A null beside values is the way in which flat rows say that the value is inside.
    if let leaf, !batch.columns[leaf].kind(at: row).isNull {
      let column = batch.schema.columns[leaf].name
      let value = batch.columns[leaf].value(at: row).displayText
      throw AggregateError(
        .badData, "unflatten: a row has “\(column)” (\(value)) and also values below it",
        hint: "rename or drop one of the columns first")
    }
    return true
  }
}
