internal import AggregateCore

/// A `Decoder` at one node. Paths are worked out from the tape when an error needs them.
struct JSONNodeDecoder: Decoder {
  let node: JSONNode

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  var codingPath: [any CodingKey] {
    node.steps.map { step in
      switch step {
      case .member(let name): JSONCodingKey(stringValue: name)
      case .element(let position): JSONCodingKey(position)
      }
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard node.kind == .object else { throw JSONDecoding.mismatch("an object", node) }
    return KeyedDecodingContainer(JSONKeyedContainer<Key>(node))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard node.kind == .array else { throw JSONDecoding.mismatch("a list", node) }
    return JSONUnkeyedContainer(node)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    JSONSingleValueContainer(node: node)
  }

  // MARK: Values

  func unbox<T: Decodable>(_ type: T.Type) throws -> T { try T(from: self) }

  func bool() throws -> Bool {
    guard let value = node.bool else { throw JSONDecoding.mismatch("true or false", node) }
    return value
  }

  func string() throws -> String {
    guard let value = node.string else { throw JSONDecoding.mismatch("text", node) }
    return value
  }

  func double() throws -> Double {
    guard let value = node.double else {
      throw JSONDecoding.mismatch(
        node.kind.isNumber ? "a number of the size of a double" : "a number", node)
    }
    return value
  }

  func float() throws -> Float {
    let value = Float(try double())
    guard value.isFinite else {
      throw JSONDecoding.mismatch("a number of the size of a float", node)
    }
    return value
  }

  func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    if let value = node.int64, let exact = T(exactly: value) { return exact }
    // What only an unsigned number of 64 bits can hold.
    if node.kind == .integer, let exact = T(node.rawText) { return exact }
    throw JSONDecoding.mismatch(
      node.kind.isNumber ? "a whole number from \(T.min) to \(T.max)" : "a whole number", node)
  }
}

/// A key, or an index, on its own.
struct JSONCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(_ index: Int) {
    stringValue = String(index)
    intValue = index
  }

  init?(intValue: Int) { self.init(intValue) }
}
