public import AggregateCore

/// XML as JSON, so that JSONPath and columns work on it.
///
/// An element is an object: its attributes as `@name`, its text as `#text`, its elements by name; those
/// that share a name become a list. A leaf without attributes is its text. Space around text is
/// left out, and so are namespace declarations, comments and processing instructions.
public enum XMLRecords {
  /// The document as JSON text: an object whose only key is the name of the outermost element.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when it is not well-formed XML.
  public static func json(from bytes: ByteBuffer, contentType: String? = nil) throws -> ByteBuffer {
    let document = try XMLDocument(parsing: bytes, contentType: contentType, mode: .strict)
    var out = ByteBuilder(capacity: bytes.count + bytes.count / 2)
    out.append(literal: "{")
    append(document.root.name.written, to: &out)
    out.append(literal: ":")
    append(document.root, to: &out)
    out.append(literal: "}")
    return out.finish()
  }

  private static func append(_ element: XMLElement, to out: inout ByteBuilder) {
    let elements = element.elements
    let text = elements.isEmpty ? element.text : ownText(element)
    let shown = FeedText.trimmed(text)
    if elements.isEmpty && element.attributes.isEmpty { return append(shown, to: &out) }
    out.append(literal: "{")
    var isFirst = true
    func key(_ name: String, _ out: inout ByteBuilder) {
      if !isFirst { out.append(literal: ",") }
      isFirst = false
      append(name, to: &out)
      out.append(literal: ":")
    }
    for attribute in element.attributes {
      key("@" + attribute.name.written, &out)
      append(attribute.value, to: &out)
    }
    if !shown.isEmpty {
      key("#text", &out)
      append(shown, to: &out)
    }
    for (name, group) in grouped(elements) {
      key(name, &out)
      if group.count > 1 { out.append(literal: "[") }
      for (position, index) in group.enumerated() {
        if position > 0 { out.append(literal: ",") }
        append(elements[index], to: &out)
      }
      if group.count > 1 { out.append(literal: "]") }
    }
    out.append(literal: "}")
  }

  /// The indexes of the elements of each name, in the order of first appearance.
  private static func grouped(_ elements: [XMLElement]) -> [(String, [Int])] {
    var places: [String: Int] = [:]
    var groups: [(String, [Int])] = []
    for (index, element) in elements.enumerated() {
      let name = element.name.written
      if let place = places[name] {
        groups[place].1.append(index)
      } else {
        places[name] = groups.count
        groups.append((name, [index]))
      }
    }
    return groups
  }

  private static func ownText(_ element: XMLElement) -> String {
    var out = ""
    for case .text(let text) in element.children { out += text }
    return out
  }

  private static func append(_ text: String, to out: inout ByteBuilder) {
    out.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { EscapedText.encode(UnsafeRawBufferPointer($0), into: &out) }
    out.append(UInt8(ascii: "\""))
  }
}
