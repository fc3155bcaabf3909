/// Texts as the games print them: broken into lines and pages of a small screen.
enum PrintedText {
  /// The text on one line: breaks become spaces, words that were divided at a break are whole again.
  static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    var isDivided = false
    for scalar in text.unicodeScalars {
      if scalar == "\u{AD}" {
        isDivided = true
      } else if scalar.properties.isWhitespace {
        if !isDivided { line.append(" ") }
      } else {
        isDivided = false
        line.append(scalar)
      }
    }
    return String(line).split(separator: " ").joined(separator: " ")
  }
}
