/// How many columns of a terminal text takes.
public enum DisplayWidth {
  /// The width of `text`: combining marks take none, East Asian wide characters and emoji two.
  public static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + of($1) }
  }

  /// The width of one character.
  public static func of(_ character: Character) -> Int {
    var width = 0
    for scalar in character.unicodeScalars {
      // A selector or a second regional indicator makes a picture of what stands before it.
      if scalar.value == 0xFE0F { return 2 }
      width = max(width, of(scalar))
    }
    return width
  }

  /// `text` cut to `width` columns, with `…` at its end where something was cut off.
  public static func truncated(_ text: String, to width: Int) -> String {
    if of(text) <= width { return text }
    if width <= 0 { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let next = of(character)
      if used + next > width - 1 { break }
      kept.append(character)
      used += next
    }
    return kept + "…"
  }

  /// `text` with spaces to `width` columns, on the left when `right` aligns it.
  public static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - of(text)))
    return right ? spaces + text : text + spaces
  }

  /// `text` on one line, with control characters made visible, so that data cannot steer a terminal.
  public static func visible(_ text: String) -> String {
    func isControl(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        || scalar.value == 0x2028 || scalar.value == 0x2029
    }
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case "\r": shown += "\\r"
      case _ where isControl(scalar):
        shown += "\\u{\(String(scalar.value, radix: 16))}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return isWide(scalar.value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    // The ranges that Unicode's EastAsianWidth calls W or F, joined where what lies between is unassigned.
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,
      0x1F200...0x1F265, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
