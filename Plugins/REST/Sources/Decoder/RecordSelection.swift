internal import AggregateCore
internal import AggregateJSON

/// Which values of a document are its records.
struct RecordSelection: Sendable {
  /// The declared path; nil for the document, or the elements of a list.
  let path: JSONPath?
  /// What the path selects from: its last selection left out, when that is in brackets.
  private let parent: JSONPath?
  /// The paths that the declared one begins with, the longest first.
  private let beginnings: [JSONPath]

  init(_ text: String?) {
    path = text.flatMap { try? JSONPath(parsing: $0) }
    parent = text.flatMap(Self.parent)
    beginnings = text.map(Self.beginnings) ?? []
  }

  private static func beginnings(of text: String) -> [JSONPath] {
    text.indices.reversed().compactMap { index in
      text[index] == "." || text[index] == "["
        ? try? JSONPath(parsing: String(text[..<index])) : nil
    }
  }

  private static func parent(of text: String) -> JSONPath? {
    if text.hasSuffix(".*") { return try? JSONPath(parsing: String(text.dropLast(2))) }
    guard text.hasSuffix("]") else { return nil }
    for index in text.indices.reversed() where text[index] == "[" {
      guard let parent = try? JSONPath(parsing: String(text[..<index])),
        (try? JSONPath(parsing: "$" + text[index...])) != nil
      else { continue }
      return parent
    }
    return nil
  }

  /// The records of a document.
  func records(in root: JSONNode) -> [JSONNode] {
    if let path { return path.nodes(in: root) }
    return root.kind == .array ? Array(root.elements) : [root]
  }

  /// Why the path found nothing in a body that is not empty; nil when that is as it should be, the
  /// place that it selects from being there and without such elements.
  func warning(for root: JSONNode) -> String? {
    guard let path else { return nil }
    if let parent {
      let places = parent.nodes(in: root)
      if places.contains(where: { $0.isNull || $0.kind.isNested }) { return nil }
    }
    // A list without elements, or null instead of one, on the way.
    let reached = beginnings.lazy.map { $0.nodes(in: root) }.first { !$0.isEmpty } ?? []
    if reached.contains(where: { $0.isNull || ($0.kind.isNested && $0.count == 0) }) { return nil }
    if root.isNull || (root.kind.isNested && root.count == 0) { return nil }
    let found = Self.lists(in: root)
    let hint =
      found.isEmpty
      ? "it is \(root.shown)" : "lists are at \(found.prefix(3).joined(separator: ", "))"
    return "records “\(path)” match nothing in the answer; \(hint)"
  }

  /// Paths to the lists of a document, down to the third level, larger ones first.
  static func lists(in root: JSONNode) -> [String] {
    var found: [(path: String, count: Int)] = []
    func search(_ node: JSONNode, _ path: String, _ depth: Int) {
      if node.kind == .array, node.count > 0 { found.append(("\(path)[*]", node.count)) }
      guard depth < 3, node.kind == .object else { return }
      for member in node.members {
        guard let name = member.key.string else { continue }
        let isWord =
          name.first.map { $0 == "_" || $0.isLetter } == true
          && name.allSatisfy { $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) }
        search(member.value, isWord ? "\(path).\(name)" : "\(path)['\(name)']", depth + 1)
      }
    }
    search(root, "$", 0)
    return found.sorted { $0.count > $1.count }.map(\.path)
  }
}
