/// A value of the configuration with the place it was written at.
///
/// Scalars stay text until the field that takes them decides what they are; nothing is guessed.
public struct Node: Sendable {
  /// What the node is.
  public enum Content: Sendable {
    /// A single value.
    case scalar(Scalar)
    /// A list.
    case sequence([Node])
    /// Keys and values, in order; keys are unique.
    case mapping([Entry])
  }

  /// One key with its value.
  public struct Entry: Sendable {
    /// The key's text.
    public let key: String
    /// Where the key was written.
    public let location: SourceLocation
    /// The value.
    public let value: Node

    /// Creates an entry.
    public init(key: String, location: SourceLocation, value: Node) {
      self.key = key
      self.location = location
      self.value = value
    }
  }

  /// A single value as text, in parts that tell what was written from what `${…}` brought in.
  public struct Scalar: Sendable, Hashable {
    /// A run of the text.
    public enum Part: Sendable, Hashable {
      /// Written in the file: templates in it are expanded.
      case written(String)
      /// Brought in by `${…}`: never expanded again, and never shown.
      case substituted(String)

      /// The text of the part.
      public var text: String {
        switch self {
        case .written(let text), .substituted(let text): text
        }
      }
    }

    /// The parts, in order.
    public let parts: [Part]
    /// Whether it was written without quotes, so that `null`, `true` and numbers mean themselves.
    public let isPlain: Bool

    /// Creates a scalar.
    public init(parts: [Part], isPlain: Bool) {
      self.parts = parts
      self.isPlain = isPlain
    }

    /// The whole text.
    public var text: String { parts.map(\.text).joined() }

    /// The text with what `${…}` brought in left out, for messages.
    public var shownText: String {
      parts.map { part in
        switch part {
        case .written(let text): text
        case .substituted: "${…}"
        }
      }.joined()
    }

    /// Whether it is null by the YAML 1.2 core schema.
    public var isNull: Bool {
      guard isPlain, parts.count <= 1 else { return false }
      return switch parts.first {
      case nil: true
      case .written(let text): ["", "~", "null", "Null", "NULL"].contains(text)
      case .substituted: false
      }
    }
  }

  /// What the node is.
  public let content: Content
  /// Where it begins.
  public let location: SourceLocation

  /// Creates a node.
  public init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  /// A scalar node of written text.
  public static func text(_ text: String, at location: SourceLocation, plain: Bool = false) -> Node
  {
    Node(.scalar(Scalar(parts: [.written(text)], isPlain: plain)), at: location)
  }

  /// The scalar, when it is one.
  public var scalar: Scalar? {
    if case .scalar(let scalar) = content { scalar } else { nil }
  }

  /// The text of a scalar that is not null.
  public var string: String? {
    scalar.flatMap { $0.isNull ? nil : $0.text }
  }

  /// The elements of a list.
  public var sequence: [Node]? {
    if case .sequence(let nodes) = content { nodes } else { nil }
  }

  /// The entries of a mapping.
  public var mapping: [Entry]? {
    if case .mapping(let entries) = content { entries } else { nil }
  }

  /// The value of `key` in a mapping.
  public subscript(key: String) -> Node? {
    mapping?.first { $0.key == key }?.value
  }

  /// Whether it is a null scalar.
  public var isNull: Bool { scalar?.isNull ?? false }

  /// What the node is, for messages: `a list`, `a mapping`, `null`, or the text in quotes.
  public var shown: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar): scalar.isNull ? "null" : "“\(scalar.shownText)”"
    }
  }
}
