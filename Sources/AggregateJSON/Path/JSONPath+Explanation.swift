internal import AggregateCore

extension JSONPath {
  /// Why the path finds nothing in `root`: where it stops, what is there, and the nearest name.
  ///
  /// Nil when it does find something. An empty array that it reaches counts as a reason as well.
  public func explanation(ofNothingIn root: JSONNode) -> (message: String, hint: String?)? {
    guard nodes(in: root).isEmpty else { return nil }
    // The last node that all segments so far lead to alone.
    var node = root
    var prefix = "$"
    for segment in segments {
      guard !segment.isDescendant, segment.selectors.count == 1 else { break }
      switch segment.selectors[0] {
      case .name(let name):
        guard let child = node[name] else { return Self.missing(name, in: node, at: prefix) }
        node = child
        prefix += Self.step(name)
      case .index(let index):
        guard let child = node[index < 0 ? index + node.count : index] else {
          return ("there is no element [\(index)] in “\(prefix)”, which is \(node.shown)", nil)
        }
        node = child
        prefix += "[\(index)]"
      case .wildcard, .slice, .filter:
        if node.kind.isNested, node.count > 0 {
          return ("nothing in “\(prefix)”, which is \(node.shown), fits “\(text)”", nil)
        }
        return ("“\(prefix)” is \(node.shown)", nil)
      }
    }
    return ("nothing in “\(prefix)”, which is \(node.shown), fits “\(text)”", nil)
  }

  private static func missing(
    _ name: String, in node: JSONNode, at prefix: String
  ) -> (message: String, hint: String?) {
    guard node.kind == .object else {
      let isList = node.kind == .array
      return (
        "there is no “\(name)” in “\(prefix)”, which is \(node.shown)",
        isList ? "the members of all elements are \(prefix)[*]\(step(name))" : nil
      )
    }
    let keys = node.members.prefix(60).compactMap(\.key.string)
    let near = Suggestions.nearest(to: name, in: keys).first.map { "did you mean “\($0)”?" }
    let all = keys.isEmpty ? nil : "there is: \(keys.prefix(20).joined(separator: ", "))"
    return ("there is no “\(name)” in “\(prefix)”", near ?? all)
  }
}
