/// Links in the header of an answer, by RFC 8288, with their parameters.
enum FeedLinkHeader {
  /// The links of a header, in order; what is malformed ends them.
  static func links(in header: String) -> [(target: String, parameters: [String: String])] {
    var links: [(target: String, parameters: [String: String])] = []
    var rest = header.unicodeScalars[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard rest.first == "<", let close = rest.firstIndex(of: ">") else { return links }
      let target = String(rest[rest.index(after: rest.startIndex)..<close])
      rest = rest[rest.index(after: close)...]
      var parameters: [String: String] = [:]
      skipSpace(&rest)
      while rest.first == ";" {
        rest = rest.dropFirst()
        skipSpace(&rest)
        let name = rest.prefix { !"=;, ".unicodeScalars.contains($0) }
        rest = rest[name.endIndex...]
        skipSpace(&rest)
        var value = ""
        if rest.first == "=" {
          rest = rest.dropFirst()
          skipSpace(&rest)
          value = parameter(&rest)
          skipSpace(&rest)
        }
        let key = String(name).lowercased()
        // Only the first counts.
        if parameters[key] == nil { parameters[key] = value }
      }
      links.append((target, parameters))
    }
  }

  private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }

  private static func parameter(_ rest: inout Substring.UnicodeScalarView) -> String {
    guard rest.first == "\"" else {
      let value = rest.prefix { !";, ".unicodeScalars.contains($0) }
      rest = rest[value.endIndex...]
      return String(value)
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
