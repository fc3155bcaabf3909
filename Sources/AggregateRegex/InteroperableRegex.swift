/// Patterns by RFC 9485 (I-Regexp), which JSONPath's `match` and `search` take.
public enum InteroperableRegex {
  /// The same pattern in RE2's syntax, or nil when `pattern` is not an I-Regexp.
  ///
  /// An I-Regexp has no escapes such as `\d`, no lazy repetition, and its dot matches no line end.
  public static func translated(_ pattern: String) -> String? {
    var reader = Reader(text: Array(pattern.unicodeScalars))
    guard reader.alternatives(depth: 0), reader.position == reader.text.count else { return nil }
    return reader.result
  }

  /// The compiled pattern, or nil when `pattern` is not an I-Regexp or is too large.
  public static func compiled(_ pattern: String) -> RegularExpression? {
    guard let translated = translated(pattern) else { return nil }
    return try? RegularExpression(translated)
  }

  private struct Reader {
    static let deepest = 100
    let text: [Unicode.Scalar]
    var position = 0
    var result = ""

    init(text: [Unicode.Scalar]) { self.text = text }

    var next: Unicode.Scalar? { position < text.count ? text[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
      guard next == scalar else { return false }
      position += 1
      return true
    }

    mutating func alternatives(depth: Int) -> Bool {
      guard depth < Self.deepest else { return false }
      while true {
        while let scalar = next, scalar != "|", scalar != ")" {
          guard atom(depth: depth), quantifier() else { return false }
        }
        guard take("|") else { return true }
        result += "|"
      }
    }

    mutating func atom(depth: Int) -> Bool {
      guard let scalar = next else { return false }
      position += 1
      switch scalar {
      case "(":
        result += "(?:"
        guard alternatives(depth: depth + 1), take(")") else { return false }
        result += ")"
        return true
      case ".":
        result += "[^\\n\\r]"
        return true
      case "^", "$":
        // Not special by the grammar, but RFC 9485 hands them on as they are (section 5.4).
        result.unicodeScalars.append(scalar)
        return true
      case "[": return bracket()
      case "\\": return escape()
      case "*", "+", "?", "{", "}", ")", "]", "|": return false
      default:
        literal(scalar)
        return true
      }
    }

    mutating func quantifier() -> Bool {
      switch next {
      case "*", "+", "?":
        result.unicodeScalars.append(text[position])
        position += 1
        return !isQuantifier
      case "{":
        position += 1
        guard let low = count() else { return false }
        var written = "{\(low)"
        if take(",") {
          written += ","
          if let high = count() {
            guard high >= low else { return false }
            written += "\(high)"
          }
        }
        guard take("}") else { return false }
        result += written + "}"
        return !isQuantifier
      default: return true
      }
    }

    /// A second quantifier would mean something else to RE2 (`a*?`), and is not an I-Regexp.
    var isQuantifier: Bool { next == "*" || next == "+" || next == "?" || next == "{" }

    mutating func count() -> Int? {
      var digits = ""
      while let scalar = next, ("0"..."9").contains(scalar), digits.count < 9 {
        digits.unicodeScalars.append(scalar)
        position += 1
      }
      return Int(digits)
    }

    /// Behind a backslash: one of the characters that have a meaning, or a category.
    mutating func escape() -> Bool {
      guard let scalar = next else { return false }
      position += 1
      switch scalar {
      case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "$":
        literal(scalar)
      case "n": result += "\\n"
      case "r": result += "\\r"
      case "t": result += "\\t"
      case "p", "P": return category(scalar)
      default: return false
      }
      return true
    }

    mutating func category(_ letter: Unicode.Scalar) -> Bool {
      guard take("{") else { return false }
      var name = ""
      while let scalar = next, scalar != "}", name.count < 3 {
        name.unicodeScalars.append(scalar)
        position += 1
      }
      guard take("}"), Self.categories.contains(name) else { return false }
      // RE2 has no names for what is unassigned.
      let everything =
        "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}\\p{Cc}\\p{Cf}\\p{Co}"
      switch (name, letter) {
      case ("Cn", "p"), ("C", "P"):
        guard !isInBracket else { return false }
        result += name == "Cn" ? "[^\(everything)]" : "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}]"
      case ("Cn", _): result += isInBracket ? everything : "[\(everything)]"
      case ("C", _):
        guard !isInBracket else { return false }
        result += "[^\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Z}]"
      default: result += "\\\(letter){\(name)}"
      }
      return true
    }

    var isInBracket = false

    mutating func bracket() -> Bool {
      isInBracket = true
      defer { isInBracket = false }
      result += "["
      if take("^") { result += "^" }
      var isFirst = true
      while let scalar = next, scalar != "]" {
        guard member(isFirst: isFirst) else { return false }
        isFirst = false
      }
      guard take("]"), !isFirst else { return false }
      result += "]"
      return true
    }

    /// One character, range or category inside brackets.
    mutating func member(isFirst: Bool) -> Bool {
      if next == "-" {
        // A hyphen is itself only at the beginning and at the end.
        position += 1
        guard isFirst || next == "]" else { return false }
        literal("-")
        return true
      }
      if next == "\\", position + 1 < text.count, "pP".unicodeScalars.contains(text[position + 1]) {
        position += 1
        return escape()
      }
      guard let low = single() else { return false }
      literal(low)
      guard next == "-", position + 1 < text.count, text[position + 1] != "]" else { return true }
      position += 1
      guard let high = single(), high.value >= low.value else { return false }
      result += "-"
      literal(high)
      return true
    }

    mutating func single() -> Unicode.Scalar? {
      guard let scalar = next, scalar != "[", scalar != "]", scalar != "-" else { return nil }
      position += 1
      guard scalar == "\\" else { return scalar }
      guard let escaped = next else { return nil }
      position += 1
      switch escaped {
      case "n": return "\n"
      case "r": return "\r"
      case "t": return "\t"
      case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}", "$":
        return escaped
      default: return nil
      }
    }

    /// Appends a character that means itself.
    mutating func literal(_ scalar: Unicode.Scalar) {
      if scalar.isASCII, !scalar.properties.isAlphabetic, !("0"..."9").contains(scalar),
        scalar.value > 0x20, scalar.value != 0x7F, scalar != "_"
      {
        result += "\\"
      }
      if scalar.value < 0x20 || scalar.value == 0x7F {
        result += "\\x{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }

    static let categories: Set<String> = [
      "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn", "N", "Nd", "Nl", "No", "P", "Pc",
      "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Z", "Zl", "Zp", "Zs", "S", "Sc", "Sk", "Sm", "So", "C",
      "Cc", "Cf", "Cn", "Co",
    ]
  }
}
