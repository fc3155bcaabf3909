import AggregateCore

/// A source declaration as text, with what it was concluded from in comments.
package struct DeclarationText {
  private(set) var text: String

  /// - Parameters:
  ///   - name: The name of the source.
  ///   - origin: Where it was inferred from.
  ///   - provider: The provider.
  init(name: String, origin: String, provider: String) {
    text = """
      \(YAMLText.comment("Written by “aggregate infer \(origin)” from what was found there."))
      # What a comment says was seen in the sample only; check it before you rely on it.
      version: 1
      sources:
        \(YAMLText.scalar(name)):
          provider: \(provider)

      """
  }

  /// Adds a key of the source with its value, and why it has it.
  mutating func add(_ key: String, _ value: String, _ comment: String? = nil) {
    text += "    \(key): \(value)" + (comment.map { "  " + YAMLText.comment($0) } ?? "") + "\n"
  }

  /// Adds a line of comment.
  mutating func remark(_ comment: String) { text += "    " + YAMLText.comment(comment) + "\n" }

  /// Adds a mapping whose values are YAML.
  mutating func add(_ key: String, _ entries: [(name: String, value: String, comment: String?)]) {
    guard !entries.isEmpty else { return }
    text += "    \(key):\n"
    for entry in entries {
      text +=
        "      \(YAMLText.scalar(entry.name)): \(entry.value)"
        + (entry.comment.map { "  " + YAMLText.comment($0) } ?? "") + "\n"
    }
  }

  /// Adds the columns of a REST source.
  mutating func add(columns: [InferredColumn]) {
    add(
      "columns",
      columns.map { column in
        let reading = column.evidence.reading(name: column.name)
        var value = YAMLText.path(column.path)
        if let type = reading.type {
          value = "{ path: \(YAMLText.path(column.path, inBraces: true)), type: \(type.rawValue)"
          if let format = reading.format { value += ", format: \(format)" }
          value += " }"
        }
        return (column.name, value, column.evidence.comment(reading))
      })
  }

  /// A name for a source from words of an address or a path.
  package static func name(from text: String) -> String {
    var result = ""
    for character in text.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        result.append(character)
      } else if !result.isEmpty, result.last != "_" {
        result.append("_")
      }
    }
    while result.last == "_" { result.removeLast() }
    if result.isEmpty { return "source" }
    return result.first?.isNumber == true ? "source_\(result)" : result
  }
}
