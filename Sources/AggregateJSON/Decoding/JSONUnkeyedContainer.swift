internal import AggregateCore

/// The elements of an array, one after the other.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
  private let node: JSONNode
  private var elements: JSONElements
  private var upcoming: JSONNode?
  private(set) var currentIndex = 0

  init(_ node: JSONNode) {
    self.node = node
    elements = node.elements
    upcoming = elements.next()
  }

  var codingPath: [any CodingKey] { JSONNodeDecoder(node: node).codingPath }
  var count: Int? { node.count }
  var isAtEnd: Bool { upcoming == nil }

  /// Reads the next element with `body`, and moves on only when that does not throw.
  private mutating func take<R>(_ body: (JSONNodeDecoder) throws -> R) throws -> R {
    guard let upcoming else {
      throw AggregateError(
        .badData, "\(node.path): expected more than \(node.count) elements in the list")
    }
    let result = try body(JSONNodeDecoder(node: upcoming))
    self.upcoming = elements.next()
    currentIndex += 1
    return result
  }

  mutating func decodeNil() throws -> Bool {
    guard let upcoming, upcoming.isNull else { return false }
    return try take { _ in true }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try take { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try take { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try take { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try take { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try take { try $0.integer(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try take { try $0.integer(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try take { try $0.integer(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try take { try $0.integer(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try take { try $0.integer(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try take { try $0.integer(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try take { try $0.integer(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try take { try $0.integer(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try take { try $0.integer(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try take { try $0.integer(type) } }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try take { try $0.unbox(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try take { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take { $0 } }
}
