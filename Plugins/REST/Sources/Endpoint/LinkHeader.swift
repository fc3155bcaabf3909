/// Link headers, by RFC 8288.
enum LinkHeader {
  /// The target of the first link with the relation `rel`; nil when there is none.
  static func target(of rel: String, in header: String) -> String? {
    let wanted = rel.lowercased()
    var rest = Array(header.unicodeScalars)[...]
    func skipSpace() { rest = rest.drop { $0 == " " || $0 == "\t" } }
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard rest.first == "<" else { return nil }
      guard let close = rest.firstIndex(of: ">") else { return nil }
      let target = text(rest[(rest.startIndex + 1)..<close])
      rest = rest[(close + 1)...]
      var relations: [String]?
      skipSpace()
      while rest.first == ";" {
        rest = rest.dropFirst()
        skipSpace()
        let name = text(rest.prefix { !"=;, ".unicodeScalars.contains($0) }).lowercased()
        rest = rest.dropFirst(name.unicodeScalars.count)
        skipSpace()
        var value = ""
        if rest.first == "=" {
          rest = rest.dropFirst()
          skipSpace()
          value = parameter(&rest)
          skipSpace()
        }
        // Only the first `rel` counts.
        if name == "rel" && relations == nil {
          relations = value.lowercased().split(separator: " ").map(String.init)
        }
      }
      if relations?.contains(wanted) == true { return target }
      // Whatever else stands there is left out up to the next link.
      rest = rest.drop { $0 != "," }
      if rest.isEmpty { return nil }
    }
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  private static func parameter(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    guard rest.first == "\"" else {
      let value = rest.prefix { !";, ".unicodeScalars.contains($0) }
      rest = rest.dropFirst(value.count)
      return text(value)
    }
    rest = rest.dropFirst()
    var value = String.UnicodeScalarView()
    while let scalar = rest.popFirst(), scalar != "\"" {
      if scalar == "\\", let escaped = rest.popFirst() {
        value.append(escaped)
      } else {
        value.append(scalar)
      }
    }
    return String(value)
  }
}
