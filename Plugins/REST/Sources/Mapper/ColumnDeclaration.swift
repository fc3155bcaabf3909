internal import AggregateCore
internal import AggregateJSON

/// One entry of `columns:`.
struct ColumnDeclaration: Sendable {
  enum Origin: Sendable {
    case path(JSONPath)
    case template(Template)
  }

  /// What stands in for a value that is not there.
  struct Fallback: Sendable {
    let kind: CellKind
    let text: String
  }

  let spec: ColumnSpec
  let origin: Origin
  let location: SourceLocation
  /// The type that values are made to have; `any` leaves them.
  let type: ValueType
  let format: InstantFormat
  let zone: TimeZoneRules?
  let fallback: Fallback?
  let isRequired: Bool

  init?(_ entry: Node.Entry) {
    location = entry.location
    if let scalar = entry.value.scalar {
      let text = scalar.text
      if text.hasPrefix("$") {
        guard let path = try? JSONPath(parsing: text) else { return nil }
        origin = .path(path)
        spec = ColumnSpec(entry.key)
      } else {
        origin = .template(Template(scalar))
        spec = ColumnSpec(entry.key, .text)
      }
      type = .any
      format = .automatic
      zone = nil
      fallback = nil
      isRequired = false
      return
    }
    let options = Options(entry.value, specs: RESTOptions.column)
    guard let path = options.text("path").flatMap({ try? JSONPath(parsing: $0) }) else {
      return nil
    }
    origin = .path(path)
    type = options.text("type").flatMap(ValueType.init) ?? .any
    spec = ColumnSpec(
      entry.key, type, unit: options.text("unit"), description: options.text("description"))
    format = options.text("format").flatMap { InstantFormat($0) } ?? .automatic
    zone = options.text("zone").flatMap { TimeZoneRules.named($0) }
    fallback = options.given("default").flatMap(Self.fallback)
    isRequired = options.bool("required")
  }

  private static func fallback(_ node: Node) -> Fallback? {
    guard let scalar = node.scalar else {
      return Fallback(
        kind: node.sequence == nil ? .object : .array, text: BodyValue(node).json([:]))
    }
    let text = scalar.text
    if scalar.isPlain, let kind = NumberText.kind(text) { return Fallback(kind: kind, text: text) }
    if scalar.isPlain, text == "true" || text == "false" {
      return Fallback(kind: text == "true" ? .true : .false, text: text)
    }
    return Fallback(kind: .text, text: text)
  }
}
