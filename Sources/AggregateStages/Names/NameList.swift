internal import AggregateCore

/// Lists of names as people write them: `a,b,"c d"`.
enum NameList {
  /// One name of a list.
  struct Item {
    /// The name, without its quotes.
    let text: String
    /// Where it begins, in characters from the beginning of the list.
    let offset: Int
    /// Whether it begins with a quote.
    let isQuoted: Bool
  }

  /// The names of `text`, split at commas outside quotes; a quote in quotes is written twice.
  static func split(_ text: String) -> [Item] {
    var items: [Item] = []
    var current = ""
    var start = 0
    var isQuoted = false
    var inQuotes = false
    func trimmed(_ text: String) -> String {
      var part = Substring(text)
      while part.last == " " { part = part.dropLast() }
      return String(part)
    }
    let characters = Array(text)
    var i = 0
    while i < characters.count {
      let character = characters[i]
      if inQuotes {
        if character == "\"" {
          if i + 1 < characters.count, characters[i + 1] == "\"" {
            current.append("\"")
            i += 1
          } else {
            inQuotes = false
          }
        } else {
          current.append(character)
        }
      } else if character == "\"", current.isEmpty || current.last == "=" || current == "-" {
        inQuotes = true
        if current.isEmpty { isQuoted = true }
      } else if character == "," {
        items.append(
          Item(text: isQuoted ? current : trimmed(current), offset: start, isQuoted: isQuoted))
        current = ""
        start = i + 1
        isQuoted = false
      } else if character == " ", current.isEmpty, !isQuoted {
        start = i + 1
      } else {
        current.append(character)
      }
      i += 1
    }
    items.append(
      Item(text: isQuoted ? current : trimmed(current), offset: start, isQuoted: isQuoted))
    return items.filter { !$0.text.isEmpty || $0.isQuoted }
  }

  /// The names of an option: the elements of a list as they are, or one text that is split.
  static func names(_ options: Options, _ option: String) -> [LocatedText] {
    guard let node = options.node(option) else { return [] }
    return names(of: node)
  }

  /// The names of a node: the elements of a list as they are, or one text that is split.
  static func names(of node: Node) -> [LocatedText] {
    if let elements = node.sequence { return elements.compactMap { LocatedText($0) } }
    guard let text = node.string else { return [] }
    return split(text).map {
      LocatedText($0.text, at: node.location.advanced(by: $0.offset + ($0.isQuoted ? 1 : 0)))
    }
  }
}
