import Foundation

/// What the text of a package description says of its targets.
struct PackageText {
  /// The names in the declaration of each target: its dependencies, and others that do no harm.
  private(set) var dependencies: [String: Set<String>] = [:]

  /// Reads the calls that make targets.
  init(_ text: String) {
    var listsProviders = false
    var providers: Set<String> = []
    let calls = #/(library|ProviderPlugin|\.target|\.executableTarget)\(/#
    for call in text.matches(of: calls) {
      let names = Self.arguments(text[call.range.upperBound...])
        .matches(of: #/"([^"]*)"/#).map { String($0.1) }
      guard let first = names.first else { continue }
      let isProvider = call.1 == "ProviderPlugin"
      let own: Set = isProvider ? ["AggregateCore", "AggregateJSON"] : []
      if first == "AggregateProviders" { listsProviders = true }
      dependencies[isProvider ? "Aggregate\(first)" : first, default: []]
        .formUnion(own.union(names.dropFirst()))
      if isProvider { providers.insert("Aggregate\(first)") }
    }
    // It depends on all of them, by the list itself.
    if listsProviders { dependencies["AggregateProviders", default: []].formUnion(providers) }
  }

  /// The text up to the parenthesis that closes the call.
  private static func arguments(_ text: Substring) -> Substring {
    var depth = 1
    for index in text.indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return text[..<index] }
    }
    return text
  }
}
