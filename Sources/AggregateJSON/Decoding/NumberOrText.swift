internal import AggregateCore

/// A value that services send as a number or as text: an id, a price, a code.
public enum NumberOrText: JSONNodeDecodable, Sendable, Hashable {
  /// A number, in the digits that were sent.
  case number(String)
  /// Text.
  case text(String)

  /// Creates a value from a number or a text.
  public init(from node: JSONNode) throws {
    if let number = node.numberText {
      self = .number(number)
    } else if let text = node.string {
      self = .text(text)
    } else {
      throw JSONDecoding.mismatch("a number or text", node)
    }
  }

  /// The digits or the text.
  public var text: String {
    switch self {
    case .number(let text), .text(let text): text
    }
  }

  /// The number that it is or, as text, spells; nil when it is none or infinite.
  public var double: Double? {
    guard let kind = NumberText.kind(text), kind.isNumber, let value = Double(text) else {
      return nil
    }
    return value.isFinite ? value : nil
  }

  /// The whole number that it is or, as text, spells; nil when it is none or does not fit.
  public var int64: Int64? {
    NumberText.kind(text) == .integer ? Int64(text) : nil
  }
}
