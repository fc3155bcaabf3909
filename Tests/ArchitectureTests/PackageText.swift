import Foundation

/// What the text of a package description says of its targets.
struct PackageText {
  /// The names in the declaration of each target: its dependencies, and others that do no harm.
  private(set) var dependencies: [String: Set<String>] = [:]

  /// Reads the calls that make targets.
  init(_ text: String) {
    let calls = #/(library|provider|\.target|\.executableTarget)\(/#
    for call in text.matches(of: calls) {
      let names = Self.arguments(text[call.range.upperBound...])
        .matches(of: #/"([^"]*)"/#).map { String($0.1) }
      guard let first = names.first else { continue }
      let isProvider = call.1 == "provider"
      let own: Set = isProvider ? ["AggregateCore", "AggregateJSON"] : []
      dependencies[isProvider ? "Aggregate\(first)" : first, default: []]
        .formUnion(own.union(names.dropFirst()))
    }
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
