/// Whoever an author element names: with elements inside, as `address (Name)`, or as text.
struct FeedPerson {
  private(set) var names: [String] = []
  private(set) var addresses: [String] = []
  private var known: Set<String> = []

  /// The names, or else the addresses.
  var shown: [String] { names.isEmpty ? addresses : names }

  /// Creates a person without anything.
  init() {}

  /// Reads an element.
  init(_ element: XMLElement, _ feedNames: FeedNames) {
    add(element, feedNames)
  }

  /// Adds whom an element names.
  mutating func add(_ element: XMLElement, _ feedNames: FeedNames) {
    let parts = element.elements
    if parts.contains(where: { ["name", "email"].contains(feedNames.key($0.name)) }) {
      func text(_ key: String) -> String? {
        parts.first { feedNames.key($0.name) == key }.map { HTMLMarkup.collapsed($0.text) }
          .flatMap { $0.isEmpty ? nil : $0 }
      }
      if let name = text("name") {
        add(name)
      } else if let email = text("email") {
        addresses.append(email)
      }
    } else {
      add(FeedText(element, isAtom: false, base: FeedBase(url: nil)).plain)
    }
  }

  /// Adds whom a text names.
  mutating func add(_ text: String) {
    guard !text.isEmpty else { return }
    let (name, address) = Self.split(text)
    if let name {
      if known.insert(name).inserted { names.append(name) }
    } else if let address {
      addresses.append(address)
    }
  }

  /// `me@example.com (Name)`, `Name (me@example.com)` and `Name <me@example.com>` in their parts.
  private static func split(_ text: String) -> (name: String?, address: String?) {
    for (open, close) in [("(", ")"), ("<", ">")] as [(Character, Character)] {
      guard text.last == close, let start = text.lastIndex(of: open), start > text.startIndex
      else { continue }
      let before = FeedText.trimmed(String(text[..<start]))
      let inside = FeedText.trimmed(
        String(text[text.index(after: start)...].dropLast()))
      if isAddress(before) && !inside.isEmpty { return (inside, before) }
      if isAddress(inside) && !before.isEmpty { return (before, inside) }
    }
    return isAddress(text) ? (nil, text) : (text, nil)
  }

  private static func isAddress(_ text: String) -> Bool {
    text.contains("@") && !text.contains(" ") && text.first != "@"
  }
}
