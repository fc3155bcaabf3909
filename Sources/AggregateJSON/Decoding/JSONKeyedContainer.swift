internal import AggregateCore

/// The members of an object, by key.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// From here on, members are found through a table instead of by looking at all of them.
  private static var large: Int { 64 }

  private let node: JSONNode
  private let table: [[UInt8]: JSONNode]?

  init(_ node: JSONNode) {
    self.node = node
    guard node.count > Self.large else {
      table = nil
      return
    }
    var table: [[UInt8]: JSONNode] = [:]
    table.reserveCapacity(node.count)
    for member in node.members { table[Array((member.key.string ?? "").utf8)] = member.value }
    self.table = table
  }

  var codingPath: [any CodingKey] { JSONNodeDecoder(node: node).codingPath }

  var allKeys: [Key] {
    node.members.compactMap { $0.key.string.flatMap(Key.init(stringValue:)) }
  }

  private func find(_ key: Key) -> JSONNode? {
    if let table { return table[Array(key.stringValue.utf8)] }
    return node[key.stringValue]
  }

  private func at(_ key: Key) throws -> JSONNodeDecoder {
    guard let found = find(key) else { throw JSONDecoding.missing(key.stringValue, in: node) }
    return JSONNodeDecoder(node: found)
  }

  func contains(_ key: Key) -> Bool { find(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { find(key)?.isNull ?? true }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try at(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try at(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try at(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try at(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try at(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try at(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try at(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try at(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try at(key).integer(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try at(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try at(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try at(key).integer(type) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try at(key).integer(type) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try at(key).integer(type) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try at(key).unbox(type)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let found = find(key), !found.isNull else { return nil }
    return try JSONNodeDecoder(node: found).unbox(type)
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    guard let found = find(key), !found.isNull else { return nil }
    return try JSONNodeDecoder(node: found).string()
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    guard let found = find(key), !found.isNull else { return nil }
    return try JSONNodeDecoder(node: found).integer(type)
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    guard let found = find(key), !found.isNull else { return nil }
    return try JSONNodeDecoder(node: found).double()
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try at(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try at(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    guard let found = node["super"] else { throw JSONDecoding.missing("super", in: node) }
    return JSONNodeDecoder(node: found)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try at(key) }
}
