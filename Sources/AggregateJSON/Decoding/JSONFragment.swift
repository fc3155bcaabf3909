/// A part of a document kept as it came, whatever it is.
public struct JSONFragment: JSONNodeDecodable, Sendable, Hashable, CustomStringConvertible {
  /// The JSON text, without white space between its parts; numbers and escapes are as they came.
  public let text: String

  /// Takes the text of `node`.
  public init(from node: JSONNode) { text = node.minified }

  /// The JSON text.
  public var description: String { text }

  /// The root of the text, parsed again.
  public func parsed() throws -> JSONNode { try JSONDocument(text).root }
}
