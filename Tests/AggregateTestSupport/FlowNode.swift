public import AggregateCore

/// Nodes from one line of flow YAML (`{ by: [a, "b c"], n: 3 }`), for tests of what takes nodes.
public enum FlowNode {
  /// The node of `text`; a mapping at the outermost level may stand without its braces.
  public static func parse(_ text: String) -> Node {
    var parser = Parser(text)
    return parser.topLevel()
  }

  private struct Parser {
    let characters: [Character]
    let text: String
    var position = 0

    init(_ text: String) {
      self.text = text
      characters = Array(text)
    }

    var place: SourceLocation {
      SourceLocation(file: "test.yaml", line: 1, column: position + 1, text: text)
    }

    var next: Character? { position < characters.count ? characters[position] : nil }

    mutating func skipSpaces() {
      while let character = next, character == " " || character == "\n" { position += 1 }
    }

    mutating func topLevel() -> Node {
      skipSpaces()
      let start = place
      if next == "{" || next == "[" { return value(stops: "") }
      let key = scalarText(stops: "", stopsAtColon: true)
      guard next == ":" else { return .text(key.text, at: start, plain: key.isPlain) }
      position += 1
      skipSpaces()
      let inner = value(stops: "")
      return Node(.mapping([Node.Entry(key: key.text, location: start, value: inner)]), at: start)
    }

    mutating func value(stops: String) -> Node {
      skipSpaces()
      let start = place
      switch next {
      case "[":
        position += 1
        var elements: [Node] = []
        skipSpaces()
        while let character = next, character != "]" {
          elements.append(value(stops: ",]"))
          skipSpaces()
          if next == "," { position += 1 }
          skipSpaces()
        }
        position += 1
        return Node(.sequence(elements), at: start)
      case "{":
        position += 1
        var entries: [Node.Entry] = []
        skipSpaces()
        while let character = next, character != "}" {
          let keyPlace = place
          let key = scalarText(stops: ",}", stopsAtColon: true).text
          skipSpaces()
          if next == ":" { position += 1 }
          entries.append(Node.Entry(key: key, location: keyPlace, value: value(stops: ",}")))
          skipSpaces()
          if next == "," { position += 1 }
          skipSpaces()
        }
        position += 1
        return Node(.mapping(entries), at: start)
      default:
        let scalar = scalarText(stops: stops, stopsAtColon: false)
        return .text(scalar.text, at: start, plain: scalar.isPlain)
      }
    }

    mutating func scalarText(stops: String, stopsAtColon: Bool) -> (text: String, isPlain: Bool) {
      skipSpaces()
      if let quote = next, quote == "\"" || quote == "'" {
        position += 1
        var result = ""
        while let character = next, character != quote {
          result.append(character)
          position += 1
        }
        position += 1
        return (result, false)
      }
      var result = ""
      while let character = next, !stops.contains(character) {
        let after = position + 1 < characters.count ? characters[position + 1] : " "
        if stopsAtColon, character == ":", after == " " || after == "\n" { break }
        result.append(character)
        position += 1
      }
      while result.last == " " { result.removeLast() }
      return (result, true)
    }
  }
}
