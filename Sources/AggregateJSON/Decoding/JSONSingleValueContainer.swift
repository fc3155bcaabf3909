/// One value.
struct JSONSingleValueContainer: SingleValueDecodingContainer {
  let node: JSONNode

  private var value: JSONNodeDecoder { JSONNodeDecoder(node: node) }

  var codingPath: [any CodingKey] { value.codingPath }

  func decodeNil() -> Bool { node.isNull }

  func decode(_ type: Bool.Type) throws -> Bool { try value.bool() }
  func decode(_ type: String.Type) throws -> String { try value.string() }
  func decode(_ type: Double.Type) throws -> Double { try value.double() }
  func decode(_ type: Float.Type) throws -> Float { try value.float() }
  func decode(_ type: Int.Type) throws -> Int { try value.integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value.integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value.integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value.integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value.integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try value.integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value.integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value.integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value.integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value.integer(type) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value.unbox(type) }
}
