import AggregateCore
import AggregateJSON

/// A row of `contains:`: columns with the values that some row of the output must have.
struct ExpectedRow {
  private let entries: [Node.Entry]

  /// - Parameter node: A mapping of columns to values.
  init(_ node: Node) { entries = node.mapping ?? [] }

  /// How messages show it: `name=Bob, id=2`.
  var shown: String {
    entries.map { "\($0.key)=\(Self.shown($0.value))" }.joined(separator: ", ")
  }

  /// The columns that `batch` does not have.
  func missingColumns(_ schema: Schema) -> [String] {
    entries.map(\.key).filter { (try? schema.resolve($0)) == nil }
  }

  /// Whether a row of `batch` has all of the values.
  func matches(_ batch: Batch) -> Bool {
    var columns: [Column] = []
    for entry in entries {
      guard let reference = try? batch.schema.resolve(entry.key), reference.subpath.isEmpty else {
        return false
      }
      columns.append(batch.columns[reference.index])
    }
    return (0..<batch.rowCount).contains { row in
      zip(entries, columns).allSatisfy { Self.equal($0.value, $1.value(at: row)) }
    }
  }

  /// Whether a value is what was written: text by text, numbers by value, null for null and absent.
  static func equal(_ node: Node, _ value: Value) -> Bool {
    if node.isNull { return value.isNull }
    if case .json(let text) = value {
      if node.scalar?.text == text { return true }
      guard let document = try? JSONDocument(text) else { return false }
      return equal(node, document.root)
    }
    guard let scalar = node.scalar, !value.isNull else { return false }
    switch value {
    case .int, .double, .number: return equalNumbers(scalar.text, value.displayText)
    default: return scalar.text == value.displayText
    }
  }

  private static func equal(_ node: Node, _ json: JSONNode) -> Bool {
    switch node.content {
    case .sequence(let nodes):
      return json.kind == .array && json.count == nodes.count
        && zip(nodes, json.elements).allSatisfy { equal($0, $1) }
    case .mapping(let entries):
      return json.kind == .object && json.count == entries.count
        && entries.allSatisfy { entry in json[entry.key].map { equal(entry.value, $0) } ?? false }
    case .scalar:
      return json.kind.isNested ? false : equal(node, json.value)
    }
  }

  private static func equalNumbers(_ written: String, _ found: String) -> Bool {
    if written == found { return true }
    guard let left = Double(written), let right = Double(found) else { return false }
    // Beyond this, different whole numbers are the same double.
    return left == right && abs(left) < 9_007_199_254_740_992
  }

  private static func shown(_ node: Node) -> String {
    switch node.content {
    case .scalar(let scalar): scalar.isNull ? "null" : scalar.shownText
    case .sequence(let nodes): "[\(nodes.map(shown).joined(separator: ", "))]"
    case .mapping(let entries):
      "{\(entries.map { "\($0.key): \(shown($0.value))" }.joined(separator: ", "))}"
    }
  }
}
