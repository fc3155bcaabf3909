import AggregateCore

/// Values for the variables that a configuration needs and that are not set: tests need no keys.
package enum UnsetVariables {
  /// `environment` with a value for each `${NAME}` and `${NAME:?…}` of `text` that has none.
  package static func filled(_ environment: [String: String], for text: String) -> [String: String]
  {
    var result = environment
    var rest = text[...]
    while let start = rest.firstIndex(of: "$") {
      rest = rest[rest.index(after: start)...]
      guard rest.first == "{" else { continue }
      let name = String(
        rest.dropFirst().prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) })
      let behind = rest.dropFirst(1 + name.count)
      guard !name.isEmpty, behind.hasPrefix("}") || behind.hasPrefix(":?") else { continue }
      if result[name, default: ""].isEmpty { result[name] = "unset-\(name)" }
    }
    return result
  }
}
