import AggregateCore

/// Text as a scalar of YAML.
enum YAMLText {
  private static let words: Set<String> = [
    "", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE", "yes", "no",
  ]
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:$@%+~-".utf8)

  /// The text, in quotes where it needs them.
  ///
  /// - Parameter isTemplate: Whether `{name}` in it would be replaced, so that braces are doubled.
  static func scalar(_ text: String, isTemplate: Bool = false) -> String {
    var text = text
    // Brought in by nobody: what looks like a variable is text.
    text = text.replacing("$$", with: "$$$").replacing("${", with: "$${")
    if isTemplate { text = text.replacing("{", with: "{{").replacing("}", with: "}}") }
    let first = text.utf8.first ?? 0
    let isPlain =
      text.utf8.allSatisfy(plain.contains) && !words.contains(text) && text.utf8.last != 0x3A
      && !"-:%@~".utf8.contains(first)
    return isPlain ? text : EscapedText.quoted(text)
  }

  /// A JSONPath; its brackets need quotes only inside of braces.
  static func path(_ text: String, inBraces: Bool = false) -> String {
    if !inBraces, !text.contains("'"), !text.contains("#"),
      text.utf8.allSatisfy({ plain.contains($0) || "[]*".utf8.contains($0) })
    {
      return text
    }
    return scalar(text)
  }

  /// A comment of one line.
  static func comment(_ text: String) -> String {
    "# "
      + String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
  }
}
