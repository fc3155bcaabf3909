/// Headlines in a form in which those of the same story are equal.
enum Headline {
  /// The least ``weight(_:)`` with which a headline tells a story on its own.
  static let leastWeight = 20

  /// Letters and digits in lower case, without the publisher that some services put behind it.
  ///
  /// What parts the digits of a number stays, and so does the plus of names such as C++. Nil when
  /// nothing is left.
  static func key(_ title: String, publisher: String) -> String? {
    let characters = withoutPublisher(folded(title).lowercased(), publisher.lowercased())
    var key = ""
    for (index, character) in characters.enumerated() {
      if character.isLetter || character.isNumber || character == "+" {
        key.append(character)
      } else if index > 0, index + 1 < characters.count, characters[index - 1].isNumber,
        characters[index + 1].isNumber, !character.isWhitespace
      {
        key.append(".")
      }
    }
    return key.isEmpty ? nil : key
  }

  /// How much a key says: a letter or digit counts 1, a Chinese, Japanese or Korean character 2.
  static func weight(_ key: String) -> Int {
    var weight = 0
    for character in key where character != "." && character != "+" {
      weight += isDense(character) ? 2 : 1
    }
    return weight
  }

  /// A title without what stands behind its last dash, as often as that is the publisher: `CNN International` of
  /// `CNN`, `Washington Post` of `The Washington Post`.
  private static func withoutPublisher(_ title: String, _ publisher: String) -> [Character] {
    var characters = Array(title)
    let name = letters(publisher)
    guard !name.isEmpty else { return characters }
    while let dash = characters.lastIndex(where: { "-|–—".contains($0) }), dash > 0,
      dash + 1 < characters.count, characters[dash - 1] == " ", characters[dash + 1] == " "
    {
      let tail = letters(String(characters[(dash + 1)...]))
      let isPublisher =
        tail == name
        || min(tail.count, name.count) >= 3 && (tail.contains(name) || name.contains(tail))
      guard isPublisher, tail.count <= 2 * name.count + 20 else { break }
      characters.removeSubrange((dash - 1)...)
    }
    return characters
  }

  private static func letters(_ text: String) -> String {
    text.filter { $0.isLetter || $0.isNumber }
  }

  /// The wide forms of ASCII characters as those characters.
  private static func folded(_ title: String) -> String {
    let wide: ClosedRange<UInt32> = 0xFF01...0xFF5E
    guard title.unicodeScalars.contains(where: { wide.contains($0.value) }) else { return title }
    var out = String.UnicodeScalarView()
    for scalar in title.unicodeScalars {
      out.append(
        wide.contains(scalar.value)
          ? Unicode.Scalar(UInt8(scalar.value - 0xFEE0)) : scalar)
    }
    return String(out)
  }

  private static func isDense(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first?.value else { return false }
    switch scalar {
    // Kana, ideographs with their extensions, Hangul.
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF,
      0x20000...0x3FFFF:
      return true
    default: return false
    }
  }
}
