import AggregateCore
import AggregateJSON

/// What a value of a document has to be when it is there; looked at only where a column came out null.
indirect enum DetailForm: Sendable {
  case int
  case number
  case bool
  case text
  /// The address of another document, with its number at the end.
  case address
  /// An object with these members, of which any may be missing or null.
  case object([(member: String, form: DetailForm)])
  /// A list whose elements are there.
  case list(DetailForm)

  /// The name of another resource, such as `{"name": "grass", "url": …}`.
  static let named = object([("name", .text)])

  /// A value that these keys lead to.
  static func at(_ path: some Collection<String>, _ form: DetailForm) -> DetailForm {
    path.reversed().reduce(form) { .object([($1, $0)]) }
  }

  /// What a column of `type` holds when it is a single value.
  static func value(of type: ValueType) -> DetailForm {
    switch type {
    case .int: .int
    case .number: .number
    case .bool: .bool
    default: .text
    }
  }

  /// What is wrong with a value that is there, or with the first part of it that is wrong.
  func misfit(_ node: JSONNode) -> AggregateError? {
    switch self {
    case .object(let members):
      guard node.kind == .object else { return refusal(of: node) }
      for (member, form) in members {
        guard let child = node[member], !child.isNull else { continue }
        if let error = form.misfit(child) { return error }
      }
      return nil
    case .list(let form):
      guard node.kind == .array else { return refusal(of: node) }
      return node.elements.lazy.compactMap { form.misfit($0) }.first
    case .int: return node.wholeNumber == nil ? refusal(of: node) : nil
    case .number: return node.decimal == nil ? refusal(of: node) : nil
    case .bool: return node.bool == nil ? refusal(of: node) : nil
    case .text: return node.string == nil ? refusal(of: node) : nil
    case .address:
      let number = node.string.flatMap(JSONNode.number(endingAddress:))
      return number == nil ? refusal(of: node) : nil
    }
  }

  /// Says where something else stands than what is expected.
  func refusal(of node: JSONNode) -> AggregateError {
    // The place without the `$` of the document, as in `stats[0].base_stat`.
    let place = node.path.drop { $0 == "$" || $0 == "." }
    return AggregateError(
      .badData,
      (place.isEmpty ? "it" : "“\(place)”") + " is \(node.shown), where \(article) is expected",
      hint: "is “base_url” a PokéAPI?")
  }

  private var article: String {
    switch self {
    case .int: "a whole number"
    case .number: "a number"
    case .bool: "true or false"
    case .text: "a text"
    case .address: "an address with a number at its end"
    case .object: "an object"
    case .list: "a list"
    }
  }
}
