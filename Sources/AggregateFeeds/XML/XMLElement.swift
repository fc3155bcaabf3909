/// The name of an element or an attribute.
public struct XMLName: Sendable, Hashable {
  /// The part behind the colon, or all of it.
  public var local: String
  /// The part before the colon, as written.
  public var prefix: String?
  /// The namespace that the prefix is bound to; nil for none and for an unbound prefix.
  public var namespace: String?

  /// The name as it stands in the document.
  public var written: String { prefix.map { "\($0):\(local)" } ?? local }
}

/// An attribute; namespace declarations are not among the attributes of an element.
public struct XMLAttribute: Sendable, Hashable {
  /// The name.
  public var name: XMLName
  /// The value, its references resolved.
  public var value: String
}

/// What stands inside an element.
public enum XMLNode: Sendable, Hashable {
  /// An element.
  case element(XMLElement)
  /// Characters, references and CDATA sections resolved.
  case text(String)
}

/// An element with everything in it. Comments and processing instructions are left out.
public struct XMLElement: Sendable, Hashable {
  /// The name.
  public var name: XMLName
  /// The attributes, in order.
  public var attributes: [XMLAttribute] = []
  /// The children, in order; texts are never adjacent.
  public var children: [XMLNode] = []

  /// Creates an element without content.
  public init(name: XMLName) { self.name = name }

  /// The child elements, in order.
  public var elements: [XMLElement] {
    children.compactMap { if case .element(let element) = $0 { element } else { nil } }
  }

  /// Whether an element is among the children.
  public var hasElements: Bool {
    children.contains { if case .element = $0 { true } else { false } }
  }

  /// The text of the element and of all elements in it, joined.
  public var text: String {
    if children.count == 1, case .text(let text) = children[0] { return text }
    var out = ""
    appendText(to: &out)
    return out
  }

  /// The value of the attribute with this name, prefix included; letters match in either case.
  public func attribute(_ name: String) -> String? {
    if let exact = attributes.first(where: { $0.name.written == name }) { return exact.value }
    return attributes.first { $0.name.written.lowercased() == name }?.value
  }

  mutating func append(_ text: String) {
    if let last = children.last, case .text(let before) = last {
      children[children.count - 1] = .text(before + text)
    } else {
      children.append(.text(text))
    }
  }

  private func appendText(to out: inout String) {
    for child in children {
      switch child {
      case .text(let text): out += text
      case .element(let element): element.appendText(to: &out)
      }
    }
  }
}
