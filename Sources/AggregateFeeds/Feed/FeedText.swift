internal import AggregateCore

/// The text of an element, and whether it is HTML.
struct FeedText {
  /// The text, trimmed.
  var value: String
  /// Whether it is HTML rather than plain text.
  var isHTML: Bool
  /// Whether its tags were elements, so that each is meant as one.
  private var isMarkup = false

  /// Reads a text construct: of Atom by its `type` and `mode`, of RSS by what it looks like.
  init(_ element: XMLElement, isAtom: Bool, base: FeedBase) {
    let type = element.attribute("type")?.lowercased() ?? ""
    let isEncoded = element.attribute("mode")?.lowercased() == "base64"
    if element.hasElements || (isAtom && ["xhtml", "application/xhtml+xml"].contains(type)) {
      value = Self.trimmed(HTMLMarkup.serialized(Self.unwrapped(element)))
      isHTML = true
      isMarkup = true
    } else {
      value = Self.trimmed(element.text)
      switch type {
      case "html", "text/html": isHTML = true
      case "", "text", "text/plain":
        isHTML = isAtom ? false : HTMLMarkup.isLikely(value)
      default: isHTML = HTMLMarkup.isLikely(value)
      }
      let isBinary =
        isAtom && type.contains("/") && !type.hasPrefix("text/")
        && !type.hasSuffix("xml")
      if isEncoded || isBinary, let decoded = Base64.decode(value),
        EncodingDetection.isValidUTF8(decoded)
      {
        value = Self.trimmed(String(decoding: decoded, as: UTF8.self))
        isHTML = HTMLMarkup.isLikely(value)
      }
    }
    if isHTML {
      value = HTMLMarkup.resolvingLinks(HTMLEntities.mendingReferences(value), base)
    }
  }

  /// On one line, without markup.
  var plain: String {
    isHTML ? HTMLMarkup.plainText(value, isMarkup: isMarkup) : HTMLMarkup.collapsed(value)
  }

  /// The content without the `div` that Atom 1.0 wraps around XHTML; in Atom 0.3 it is the author's.
  private static func unwrapped(_ element: XMLElement) -> [XMLNode] {
    let elements = element.elements
    let isAtom = element.name.namespace?.lowercased().contains("w3.org/2005/atom") ?? false
    guard isAtom, elements.count == 1, elements[0].name.local.lowercased() == "div" else {
      return element.children
    }
    for case .text(let text) in element.children where !trimmed(text).isEmpty {
      return element.children
    }
    return elements[0].children
  }

  static func trimmed(_ text: String) -> String {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (9...13).contains(byte) }
    let bytes = text.utf8
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    if first == bytes.startIndex && bytes.index(after: last) == bytes.endIndex { return text }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
