internal import AggregateCore

/// A JSON value to be sent, with templates in its texts.
indirect enum BodyValue: Sendable {
  /// A number, `true`, `false` or `null`, as it stands in JSON.
  case literal(String)
  /// Text.
  case text(Template)
  case list([BodyValue])
  case object([(key: String, value: BodyValue)])

  /// Reads a node; unquoted words mean what they mean in JSON.
  init(_ node: Node) {
    switch node.content {
    case .sequence(let nodes): self = .list(nodes.map { BodyValue($0) })
    case .mapping(let entries): self = .object(entries.map { ($0.key, BodyValue($0.value)) })
    case .scalar(let scalar):
      let text = scalar.text
      if scalar.isNull {
        self = .literal("null")
      } else if scalar.isPlain, let keyword = Self.keyword(text) {
        self = .literal(keyword)
      } else if scalar.isPlain, NumberText.kind(text) != nil {
        self = .literal(text)
      } else {
        self = .text(Template(scalar))
      }
    }
  }

  private static func keyword(_ text: String) -> String? {
    switch text {
    case "true", "True", "TRUE": "true"
    case "false", "False", "FALSE": "false"
    default: nil
    }
  }

  /// The templates in it.
  var templates: [Template] {
    switch self {
    case .literal: []
    case .text(let template): [template]
    case .list(let values): values.flatMap(\.templates)
    case .object(let members): members.flatMap(\.value.templates)
    }
  }

  /// The JSON text.
  func json(_ values: [String: String]) -> String {
    switch self {
    case .literal(let text): text
    case .text(let template): EscapedText.quoted(template.expanded(values))
    case .list(let elements): "[\(elements.map { $0.json(values) }.joined(separator: ","))]"
    case .object(let members):
      "{"
        + members.map { "\(EscapedText.quoted($0.key)):\($0.value.json(values))" }
        .joined(separator: ",") + "}"
    }
  }

  /// This value with another one at `path`; objects on the way are made where there are none.
  func setting(_ path: ArraySlice<String>, to value: BodyValue) -> BodyValue {
    guard let key = path.first else { return value }
    if case .list(var elements) = self, let index = Int(key), elements.indices.contains(index) {
      elements[index] = elements[index].setting(path.dropFirst(), to: value)
      return .list(elements)
    }
    var members: [(key: String, value: BodyValue)] = []
    if case .object(let own) = self { members = own }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = members[index].value.setting(path.dropFirst(), to: value)
    } else {
      members.append((key, BodyValue.object([]).setting(path.dropFirst(), to: value)))
    }
    return .object(members)
  }

  /// Text without placeholders.
  static func plain(_ text: String) -> BodyValue {
    .text(Template(Node.Scalar(parts: [.substituted(text)], isPlain: false)))
  }
}
