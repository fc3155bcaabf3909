internal import AggregateCore

extension JSONNode {
  /// Where it stands in its document, as a JSONPath: `$.items[3].name`.
  ///
  /// - Complexity: O(siblings) on each level; meant for messages.
  public var path: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .member(let key): text += JSONPath.step(key)
      case .element(let position): text += "[\(position)]"
      }
    }
  }

  /// One step down from the root.
  enum Step {
    case member(String)
    case element(Int)
  }

  /// The steps from the root to it.
  var steps: [Step] {
    var steps: [Step] = []
    var node = document.root
    while node.index < index, node.kind.isNested {
      if node.kind == .object {
        guard let member = node.members.first(where: { covers($0.value) }) else { break }
        steps.append(.member(member.key.string ?? ""))
        node = member.value
      } else {
        guard let found = node.elements.enumerated().first(where: { covers($0.element) }) else {
          break
        }
        steps.append(.element(found.offset))
        node = found.element
      }
    }
    return steps
  }

  private func covers(_ node: JSONNode) -> Bool {
    index < document.tape.next(node.index)
  }
}

extension JSONPath {
  /// A step to a member: `.name`, or `['a name']`.
  static func step(_ name: String) -> String {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, JSONPathParser.isNameFirst(first),
      scalars.allSatisfy({ JSONPathParser.isNameFirst($0) || JSONPathParser.isDigit($0) })
    else { return "[\(quoted(name))]" }
    return ".\(name)"
  }
}
