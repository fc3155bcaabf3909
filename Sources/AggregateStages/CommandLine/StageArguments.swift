public import AggregateCore

/// Stages as they stand on the command line, turned into the nodes that sources.yaml would give.
///
/// Every node has the place `<command line>` and the text of its word, so that a mistake shows a caret.
public enum StageArguments {
  /// The options node of a stage from its words.
  ///
  /// - Parameters:
  ///   - positionals: The words that stand for the options `spec.positionals` names, in that order.
  ///   - options: `--name value` pairs, in the order written; a repeated one adds to a list or mapping.
  public static func node(
    for spec: StageSpec, positionals: [String], options: [(name: String, value: String)]
  ) -> Node {
    var entries: [Node.Entry] = []
    var where0: SourceLocation?
    func add(_ name: String, _ text: String, _ location: SourceLocation) {
      if where0 == nil { where0 = location }
      let option = spec.options.first { $0.name == name }
      let value = value(text, option?.shape ?? .any, at: location)
      if let index = entries.firstIndex(where: { $0.key == name }) {
        entries[index] = Node.Entry(
          key: name, location: entries[index].location, value: joined(entries[index].value, value))
      } else {
        entries.append(Node.Entry(key: name, location: location, value: value))
      }
    }
    for (name, word) in zip(spec.positionals, positionals) { add(name, word, place(word)) }
    for (name, text) in options {
      let key = name.map { $0 == "-" ? "_" : String($0) }.joined()
      let whole = "--\(name) \(text)"
      add(key, text, place(whole).advanced(by: whole.count - text.count))
    }
    let location = where0 ?? place(spec.name)
    // The entries form takes the entries alone.
    if case .entries(let option) = spec.shorthand, entries.count == 1, entries[0].key == option {
      return entries[0].value
    }
    return Node(.mapping(entries), at: location)
  }

  /// The stage item (`{ filter: … }`) that a shorthand option of `run` stands for; nil for other options.
  ///
  /// - Parameter option: The name with or without leading dashes: `where select drop rename set sort
  ///   limit distinct`.
  public static func shorthand(option: String, value: String?) -> Node? {
    let name = String(option.drop { $0 == "-" })
    guard let type = shorthands[name] else { return nil }
    let spec = type.spec
    let whole = value.map { "--\(name) \($0)" } ?? "--\(name)"
    let location = place(whole).advanced(by: value.map { whole.count - $0.count } ?? 0)
    guard let value else {
      return item(spec.name, Node(.mapping([]), at: location), at: location)
    }
    guard let target = spec.positionals.first ?? shorthandOption(spec),
      let shape = spec.options.first(where: { $0.name == target })?.shape
    else { return nil }
    let node = self.value(value, shape, at: location)
    if case .entries = spec.shorthand { return item(spec.name, node, at: location) }
    return item(
      spec.name,
      Node(.mapping([Node.Entry(key: target, location: location, value: node)]), at: location),
      at: location)
  }

  private static let shorthands: [String: any Stage.Type] = [
    "where": FilterStage.self, "set": SetStage.self, "select": SelectStage.self,
    "drop": DropStage.self, "rename": RenameStage.self,
    "sort": SortStage.self, "limit": HeadStage.self, "distinct": DedupeStage.self,
  ]

  private static func shorthandOption(_ spec: StageSpec) -> String? {
    switch spec.shorthand {
    case .value(let option), .entries(let option): option
    case .none: nil
    }
  }

  private static func item(_ name: String, _ node: Node, at location: SourceLocation) -> Node {
    Node(.mapping([Node.Entry(key: name, location: location, value: node)]), at: location)
  }

  /// The beginning of `text` as a line of the command line.
  private static func place(_ text: String) -> SourceLocation {
    SourceLocation(file: "<command line>", line: 1, column: 1, text: text)
  }

  /// What `text` is for an option of `shape`: a list is split at commas, `NAME=VALUE` makes a mapping.
  private static func value(_ text: String, _ shape: Shape, at location: SourceLocation) -> Node {
    switch shape {
    case .list(let element, _):
      let items = NameList.split(text)
      return Node(
        .sequence(items.map { self.element($0, element, at: location) }), at: location)
    case .map(let value, _): return mapping(text, value, at: location)
    case .either(let shapes):
      if let map = shapes.first(where: { if case .map = $0 { true } else { false } }),
        hasEntry(text)
      {
        return value(text, map, at: location)
      }
      return value(text, shapes.first ?? .text, at: location)
    case .text, .template:
      return .text(text, at: location)
    default:
      return .text(text, at: location, plain: true)
    }
  }

  private static func element(
    _ item: NameList.Item, _ shape: Shape, at location: SourceLocation
  ) -> Node {
    let place = location.advanced(by: item.offset)
    if case .either(let shapes) = shape, !item.isQuoted,
      shapes.contains(where: { if case .map = $0 { true } else { false } }),
      let equals = item.text.firstIndex(of: "=")
    {
      return Node(.mapping([entry(item.text, equals, at: place)]), at: place)
    }
    return .text(item.text, at: item.isQuoted ? place.advanced(by: 1) : place)
  }

  private static func hasEntry(_ text: String) -> Bool {
    NameList.split(text).allSatisfy { !$0.isQuoted && $0.text.contains("=") }
  }

  /// Entries whose values are expressions hold commas of their own, so that only one stands in a word.
  private static func mapping(
    _ text: String, _ shape: Shape, at location: SourceLocation
  ) -> Node {
    var items = [NameList.Item(text: text, offset: 0, isQuoted: false)]
    if case .parsed = shape {} else { items = NameList.split(text) }
    var entries: [Node.Entry] = []
    for item in items {
      let place = location.advanced(by: item.offset)
      guard let equals = item.text.firstIndex(of: "=") else {
        // Left as it stands: the shape's check says what was expected.
        return .text(text, at: location, plain: true)
      }
      let entry = entry(item.text, equals, at: place)
      entries.removeAll { $0.key == entry.key }
      entries.append(entry)
    }
    return Node(.mapping(entries), at: location)
  }

  private static func entry(
    _ text: String, _ equals: String.Index, at location: SourceLocation
  ) -> Node.Entry {
    func trimmed(_ part: Substring) -> String {
      var part = part.drop { $0 == " " }
      while part.last == " " { part = part.dropLast() }
      return String(part)
    }
    let behind = text[text.index(after: equals)...]
    let offset = text.distance(from: text.startIndex, to: equals) + 1
    let spaces = behind.prefix { $0 == " " }.count
    return Node.Entry(
      key: trimmed(text[..<equals]), location: location,
      value: .text(trimmed(behind), at: location.advanced(by: offset + spaces), plain: true))
  }

  private static func joined(_ a: Node, _ b: Node) -> Node {
    switch (a.content, b.content) {
    case (.sequence(let first), .sequence(let second)):
      return Node(.sequence(first + second), at: a.location)
    case (.mapping(let first), .mapping(let second)):
      let kept = first.filter { entry in !second.contains { $0.key == entry.key } }
      return Node(.mapping(kept + second), at: a.location)
    default: return b
    }
  }
}
