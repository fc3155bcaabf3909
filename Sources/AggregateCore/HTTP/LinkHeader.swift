/// Link headers, by RFC 8288.
public enum LinkHeader {
  /// A link and what is said of it; names of parameters are in lower case.
  public typealias Link = (target: String, parameters: [String: String])

  /// The target of the first link with the relation `rel`; nil when there is none.
  public static func target(of rel: String, in header: String) -> String? {
    let wanted = rel.lowercased()
    return links(in: header).first { link in
      link.parameters["rel"]?.lowercased().split(separator: " ").contains { $0 == wanted } ?? false
    }?.target
  }

  /// The links of a header, in order. What is malformed ends a link, or all of them.
  public static func links(in header: String) -> [Link] {
    var links: [Link] = []
    var rest = header.unicodeScalars[...]
    while true {
      rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
      guard rest.first == "<", let close = rest.firstIndex(of: ">") else { return links }
      let target = String(rest[rest.index(after: rest.startIndex)..<close])
      rest = rest[rest.index(after: close)...]
      links.append((target, parameters(&rest)))
      // Whatever else stands there is left out up to the next link.
      rest = rest.drop { $0 != "," }
    }
  }

  private static func parameters(_ rest: inout Substring.UnicodeScalarView) -> [String: String] {
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
        value = self.value(&rest)
        skipSpace(&rest)
      }
      let key = String(name).lowercased()
      // Only the first counts.
      if parameters[key] == nil { parameters[key] = value }
    }
    return parameters
  }

  private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }

  private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
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
