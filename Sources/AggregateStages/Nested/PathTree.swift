internal import AggregateCore

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
