import AggregateCore
import AggregateJSON

/// A column of a resource's rows, and how its value is read from the resource's document.
///
/// A field that the document does not have is null; one that is of another form is an error.
struct DetailField: Sendable {
  let column: ColumnSpec
  /// Where its value stands, when it stands in one place.
  private let path: [String]?
  /// The members of the document that it is read from.
  let members: [String]
  let read: @Sendable (JSONNode) -> Value

  init(
    _ name: String, _ type: ValueType, at path: [String], unit: String? = nil,
    _ description: String, read: @escaping @Sendable (JSONNode) -> Value
  ) {
    self.init(name, type, path: path, from: Array(path.prefix(1)), unit, description, read)
  }

  /// A value that is made of what these members of the document hold.
  init(
    _ name: String, _ type: ValueType, from members: [String], unit: String? = nil,
    _ description: String, read: @escaping @Sendable (JSONNode) -> Value
  ) {
    self.init(name, type, path: nil, from: members, unit, description, read)
  }

  private init(
    _ name: String, _ type: ValueType, path: [String]?, from members: [String], _ unit: String?,
    _ description: String, _ read: @escaping @Sendable (JSONNode) -> Value
  ) {
    column = ColumnSpec(name, type, unit: unit, description: description)
    self.path = path
    self.members = members
    self.read = read
  }

  /// What stands in a document where the value should be; nil when there is nothing, or null.
  func misfit(in root: JSONNode) -> AggregateError? {
    guard let path else { return nil }
    var node = root
    for (depth, key) in path.enumerated() {
      guard let child = node[key] else { break }
      node = child
      if node.isNull { return nil }
      let isLast = depth == path.count - 1
      guard isLast || node.kind != .object else { continue }
      let wanted = isLast ? Self.article(column.type) : "an object"
      return AggregateError(
        .badData,
        "“\(path[...depth].joined(separator: "."))” is \(node.shown), where \(wanted) is expected",
        hint: "is “base_url” a PokéAPI?")
    }
    return nil
  }

  private static func article(_ type: ValueType) -> String {
    switch type {
    case .int: "a whole number"
    case .number: "a number"
    case .bool: "true or false"
    case .list: "a list"
    default: "a text"
    }
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
  static func names(
    _ name: String, of path: [String]? = nil, key: String? = nil, _ description: String
  ) -> DetailField {
    let path = path ?? [name]
    return DetailField(name, .list, at: path, description) { root in
      guard let list = root.at(path), list.kind == .array else { return .null }
      return .list(
        list.elements.compactMap { entry in
          (key.map { entry[$0] } ?? entry)?["name"]?.string
        })
    }
  }

  /// The newest English text among entries such as `[{"genus": "…", "language": {"name": "en"}}]`.
  static func english(
    _ name: String, in list: String, keys: [String], isOneLine: Bool = true,
    _ description: String
  ) -> DetailField {
    DetailField(name, .text, from: [list, "effect_chance"], description) { root in
      var found: String?
      for entry in root.elements(of: list) where entry["language"]?["name"]?.string == "en" {
        found = keys.lazy.compactMap { entry[$0]?.string }.first ?? found
      }
      guard var text = found else { return .null }
      if let chance = root["effect_chance"]?.numberText {
        text = text.replacing("$effect_chance", with: chance)
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

  /// The elements of the list in this member; none when it is no list.
  func elements(of key: String) -> [JSONNode] { self[key].map { Array($0.elements) } ?? [] }

  /// The number at the end of the `url` of another resource.
  var referredID: Int64? { self["url"]?.string.flatMap(Self.number(endingAddress:)) }

  /// The number that is the last part of an address, such as 25 of `https://pokeapi.co/api/v2/pokemon/25/`.
  static func number(endingAddress address: String) -> Int64? {
    let slash = UInt8(ascii: "/")
    let path = address.utf8.reversed().drop { $0 == slash }
    return Int64(String(decoding: path.prefix { $0 != slash }.reversed(), as: UTF8.self))
  }
}

extension Value {
  /// A list of texts.
  static func list(_ texts: [String]) -> Value {
    .json("[" + texts.map(EscapedText.quoted).joined(separator: ",") + "]")
  }
}
