/// The way to a value inside a record: object keys and, in digits, array indexes counted from 0.
///
/// Its text form joins the elements with `.`; a `.` or `\` inside an element is escaped with `\`,
/// so that different paths have different texts.
public struct ColumnPath: Sendable, Hashable, CustomStringConvertible {
  /// The elements, outermost first; never empty.
  public let elements: [String]

  /// Creates a path from its elements.
  public init(_ elements: [String]) {
    precondition(!elements.isEmpty)
    self.elements = elements
  }

  /// Creates a path from its text form.
  public init(text: String) {
    var elements: [String] = []
    var current = ""
    var escaped = false
    for scalar in text.unicodeScalars {
      if escaped {
        current.unicodeScalars.append(scalar)
        escaped = false
      } else if scalar == "\\" {
        escaped = true
      } else if scalar == "." {
        elements.append(current)
        current = ""
      } else {
        current.unicodeScalars.append(scalar)
      }
    }
    if escaped { current += "\\" }
    self.init(elements + [current])
  }

  /// The text form.
  public var description: String {
    elements.map(Self.escaped).joined(separator: ".")
  }

  /// One element as it stands in the text form.
  public static func escaped(_ element: String) -> String {
    guard element.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "\\") })
    else { return element }
    var text = ""
    for scalar in element.unicodeScalars {
      if scalar == "." || scalar == "\\" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
