internal import AggregateCore

/// A type that is made from a node directly: what a value of unusual form, or a fast projection, needs.
public protocol JSONNodeDecodable: Decodable {
  /// Creates a value from `node`.
  init(from node: JSONNode) throws
}

extension JSONNodeDecodable {
  /// Creates a value from the node behind `decoder`, which must be one of ``JSONDecoding``.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? JSONNodeDecoder else {
      throw AggregateError(.internal, "\(Self.self) can only be decoded with JSONDecoding")
    }
    try self.init(from: decoder.node)
  }
}

extension JSONNode: JSONNodeDecodable {
  /// Takes the node as it is.
  public init(from node: JSONNode) { self = node }
}
