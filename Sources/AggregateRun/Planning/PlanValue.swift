package import AggregateCore

/// A value of a plan in JSON; members keep their order.
package enum PlanValue {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case text(String)
  case list([PlanValue])
  case object([(String, PlanValue)])

  init(_ value: Int?) { self = value.map { .int($0) } ?? .null }
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ texts: [String]) { self = .list(texts.map { .text($0) }) }

  /// A time in seconds.
  init(_ duration: Duration?) {
    guard let parts = duration?.components else {
      self = .null
      return
    }
    self =
      parts.attoseconds == 0
      ? .int(Int(parts.seconds))
      : .number(Double(parts.seconds) + Double(parts.attoseconds) / 1e18)
  }

  /// A rate, and what else is to be said of it.
  init(_ rate: Quantities.Rate?, _ more: [(String, PlanValue)] = []) {
    guard let rate else {
      self = .null
      return
    }
    self = .object([("count", .int(rate.count)), ("seconds", .int(rate.seconds))] + more)
  }

  /// The columns of a schema; null when only the data can tell.
  init(_ schema: Schema?) {
    guard let schema else {
      self = .null
      return
    }
    self = .list(
      schema.columns.map { column in
        .object([
          ("name", .text(column.name)), ("type", .text(column.type.rawValue)),
          ("unit", PlanValue(column.unit)), ("description", PlanValue(column.description)),
        ])
      })
  }

  /// The text, a line for each member of the outermost objects.
  ///
  /// - Parameter redactor: Takes the secrets out of every text before it is quoted.
  package func json(_ redactor: Redactor) -> String { json(redactor, indent: 0) }

  private func json(_ redactor: Redactor, indent: Int) -> String {
    switch self {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .number(let value): return NumberText.shortest(value)
    case .text(let text): return EscapedText.quoted(redactor.redact(text))
    case .list(let values):
      let parts = values.map { $0.json(redactor, indent: indent + 1) }
      return "[\(Self.joined(parts, indent: indent))]"
    case .object(let members):
      let parts = members.map {
        "\(EscapedText.quoted($0.0)):\($0.1.json(redactor, indent: indent + 1))"
      }
      return "{\(Self.joined(parts, indent: indent))}"
    }
  }

  /// Sources stand apart, and their members on lines of their own; what lies deeper stays on one.
  private static func joined(_ parts: [String], indent: Int) -> String {
    guard indent < 3, !parts.isEmpty else { return parts.joined(separator: ",") }
    let space = "\n" + String(repeating: " ", count: indent + 1)
    return space + parts.joined(separator: "," + space)
      + "\n" + String(repeating: " ", count: indent)
  }
}
