import AggregateCore
import AggregateJSON

/// A column of a resource's rows, and how its value is read from the resource's document.
///
/// A field that the document does not have is null; one that is of another form is an error.
struct DetailField: Sendable {
  /// A member of the document, and what it has to be.
  typealias Member = (name: String, form: DetailForm)

  let column: ColumnSpec
  /// The members of the document that it is read from.
  let members: [Member]
  let read: @Sendable (JSONNode) -> Value

  /// A value that stands in one place.
  init(
    _ name: String, _ type: ValueType, at path: [String], unit: String? = nil,
    _ description: String, read: @escaping @Sendable (JSONNode) -> Value
  ) {
    let form = DetailForm.at(path.dropFirst(), .value(of: type))
    self.init(
      name, type, from: path.prefix(1).map { ($0, form) }, unit: unit, description, read: read)
  }

  /// A value that is made of what these members of the document hold.
  init(
    _ name: String, _ type: ValueType, from members: [Member], unit: String? = nil,
    _ description: String, read: @escaping @Sendable (JSONNode) -> Value
  ) {
    column = ColumnSpec(name, type, unit: unit, description: description)
    self.members = members
    self.read = read
  }

  /// What stands in a document where the value should be; nil when there is nothing, or null.
  func misfit(in root: JSONNode) -> AggregateError? {
    for (name, form) in members {
      guard let node = root[name], !node.isNull else { continue }
      if let error = form.misfit(node) { return error }
    }
    return nil
  }

  /// A whole number.
  static func int(
    _ name: String, at path: [String], unit: String? = nil, _ description: String
  ) -> DetailField {
    DetailField(name, .int, at: path, unit: unit, description) { root in
      root.at(path)?.wholeNumber.map(Value.int) ?? .null
    }
  }

  /// A whole number in the member of the column's name.
  static func int(_ name: String, unit: String? = nil, _ description: String) -> DetailField {
    int(name, at: [name], unit: unit, description)
  }

  /// A boolean in the member of the column's name.
  static func bool(_ name: String, _ description: String) -> DetailField {
    DetailField(name, .bool, at: [name], description) { $0[name]?.bool.map(Value.bool) ?? .null }
  }

  /// A text.
  static func text(_ name: String, at path: [String], _ description: String) -> DetailField {
    DetailField(name, .text, at: path, description) { $0.at(path)?.string.map(Value.text) ?? .null }
  }

  /// The name of another resource, such as `{"name": "grass", "url": …}`.
  static func name(
    _ name: String, of path: [String]? = nil, _ description: String
  ) -> DetailField {
    text(name, at: (path ?? [name]) + ["name"], description)
  }

  /// The names in a list of such; with `key`, of `[{"slot": 1, "type": {"name": "grass"}}]`.
  ///
  /// - Parameter isSlotted: Whether the entries have slots, which say the order.
  static func names(
    _ name: String, of path: [String]? = nil, key: String? = nil, isSlotted: Bool = false,
    _ description: String
  ) -> DetailField {
    let path = path ?? [name]
    let form = DetailForm.list(key.map { .object([($0, .named)]) } ?? .named)
    let member = (path[0], DetailForm.at(path.dropFirst(), form))
    return DetailField(name, .list, from: [member], description) { root in
      guard let list = root.at(path), list.kind == .array else { return .null }
      var out = "["
      var last = Int64.min
      for entry in list.elements {
        // Whatever is no object gives null, and then an error.
        guard entry.kind == .object else { return .null }
        if isSlotted, let slot = entry["slot"]?.int64 {
          if slot < last { return namesBySlot(list, key) }
          last = slot
        }
        guard let named = key.map({ entry[$0] }) ?? entry, !named.isNull else { continue }
        guard named.kind == .object else { return .null }
        guard let node = named["name"], !node.isNull else { continue }
        guard let text = node.string else { return .null }
        if out.utf8.count > 1 { out += "," }
        out += EscapedText.quoted(text)
      }
      out += "]"
      return .json(out)
    }
  }

  private static func namesBySlot(_ list: JSONNode, _ key: String?) -> Value {
    var entries: [(slot: Int64, name: String)] = []
    for entry in list.elements {
      guard entry.kind == .object else { return .null }
      guard let named = key.map({ entry[$0] }) ?? entry, !named.isNull else { continue }
      guard named.kind == .object else { return .null }
      guard let node = named["name"], !node.isNull else { continue }
      guard let text = node.string else { return .null }
      entries.append((entry["slot"]?.int64 ?? .max, text))
    }
    entries.sort { $0.slot < $1.slot }
    return .json("[" + entries.map { EscapedText.quoted($0.name) }.joined(separator: ",") + "]")
  }

  /// The newest English text among entries such as `[{"genus": "…", "language": {"name": "en"}}]`.
  static func english(
    _ name: String, in list: String, keys: [String], isOneLine: Bool = true,
    _ description: String
  ) -> DetailField {
    let entry = DetailForm.object([("language", .named)] + keys.map { ($0, .text) })
    return DetailField(
      name, .text, from: [(list, .list(entry)), ("effect_chance", .int)], description
    ) { root in
      var found: String?
      for entry in root.elements(of: list) where entry["language"]?["name"]?.string == "en" {
        found = keys.lazy.compactMap { entry[$0]?.string }.first ?? found
      }
      guard var text = found else { return .null }
      if let chance = root["effect_chance"], !chance.isNull {
        guard let number = chance.wholeNumber else { return .null }
        text = text.replacing("$effect_chance", with: String(number))
      }
      return .text(isOneLine ? PrintedText.oneLine(text) : text)
    }
  }
}

extension JSONNode {
  /// The value that the keys lead to.
  func at(_ path: [String]) -> JSONNode? {
    var node: JSONNode? = self
    for key in path { node = node?[key] }
    return node
  }

  /// Its value when it is a whole number, or a text that is one.
  var wholeNumber: Int64? { int64 ?? string.flatMap { Int64($0) } }

  /// Its value when it is a number, or a text that is one.
  var decimal: Double? {
    if let double { return double }
    guard let string, NumberText.kind(string) != nil, let value = Double(string),
      value.isFinite
    else { return nil }
    return value
  }

  /// The elements of the list in this member; none when it is no list.
  func elements(of key: String) -> [JSONNode] { self[key].map { Array($0.elements) } ?? [] }

  /// The number at the end of the `url` of another resource.
  var referredID: Int64? { self["url"]?.string.flatMap(Self.number(endingAddress:)) }

  /// The number that is the last part of an address, such as 25 of `https://pokeapi.co/api/v2/pokemon/25/`.
  static func number(endingAddress address: String) -> Int64? {
    let slash = UInt8(ascii: "/")
    let whole = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let path = whole.reversed().drop { $0 == slash }
    return Int64(String(decoding: path.prefix { $0 != slash }.reversed(), as: UTF8.self))
  }
}
