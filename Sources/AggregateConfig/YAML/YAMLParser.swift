public import AggregateCore

/// Makes a ``Node`` tree of a YAML text: one document, unique keys, bounded aliases.
///
/// Nothing is guessed: every scalar stays text, marked by whether it was quoted.
public struct YAMLParser {
  /// How deep lists and mappings may lie in each other.
  static let maximumDepth = 100
  /// How many nodes a file may have, each alias counted with all that it stands for.
  static let maximumNodes = 200_000
  /// The largest file, in bytes.
  static let maximumSize = 16_000_000

  private let text: YAMLText
  private let reader: YAMLEventReader
  private var open: [Frame] = []
  private var anchors: [String: (node: Node, size: Int)] = [:]
  private var openAnchors: Set<String> = []
  private var nodes = 0
  private var root: Node?
  private var diagnostics = Diagnostics()

  /// A list or a mapping that has begun and not ended.
  private struct Frame {
    var isMapping: Bool
    var location: SourceLocation
    var anchor: String?
    var nodesBefore: Int
    var elements: [Node] = []
    var entries: [Node.Entry] = []
    var keys: [String: SourceLocation] = [:]
    var merged: [Node] = []
    var key: (text: String, location: SourceLocation, isMerge: Bool)?
  }

  /// A mistake that ends the parsing at once.
  private struct Stop: Error {
    var diagnostic: Diagnostic
  }

  private init(_ text: YAMLText) {
    self.text = text
    reader = YAMLEventReader(text.bytes)
  }

  /// Parses `bytes`, called `file` in messages.
  ///
  /// - Returns: The document, nil when it is not well-formed; an empty text is null.
  public static func parse(
    _ bytes: [UInt8], file: String, into diagnostics: inout Diagnostics
  ) -> Node? {
    guard bytes.count <= maximumSize else {
      diagnostics.error(
        "yaml-size", "the file has \(bytes.count) bytes, more than \(maximumSize)",
        at: SourceLocation(file: file, line: 1, column: 1))
      return nil
    }
    var parser = YAMLParser(YAMLText(file: file, bytes: bytes))
    let isComplete = parser.run()
    diagnostics.add(contentsOf: parser.diagnostics)
    guard isComplete, !parser.diagnostics.hasErrors else { return nil }
    return parser.root
      ?? .text("", at: SourceLocation(file: file, line: 1, column: 1), plain: true)
  }

  private mutating func run() -> Bool {
    do {
      var documents = 0
      while true {
        let event = try reader.next()
        switch event.kind {
        case .streamEnd: return true
        case .streamStart, .documentEnd: continue
        case .documentStart:
          documents += 1
          if documents > 1 {
            try stop(
              "yaml-documents", "a second document begins here", at: event.start,
              hint: "a file holds one document: remove the “---”")
          }
        default: try take(event)
        }
      }
    } catch let error as YAMLSyntaxError {
      diagnostics.add(YAMLSyntaxMessage.diagnostic(for: error, in: text))
    } catch let stop as Stop {
      diagnostics.add(stop.diagnostic)
    } catch {
      diagnostics.error(
        "yaml", "not valid YAML: \(error)", at: text.location(.init(line: 0, column: 0)))
    }
    return false
  }

  private mutating func take(_ event: YAMLEvent) throws {
    nodes += 1
    try checkSize(at: event.start)
    switch event.kind {
    case .alias(let name): try takeAlias(name, at: event.start)
    case .scalar(let value, var isPlain, let anchor, let tag):
      let location = text.location(event.start)
      if try resolve(tag, ["str"], at: event.start) || tag == "!" { isPlain = false }
      let node = Node(
        .scalar(Node.Scalar(parts: value.isEmpty ? [] : [.written(value)], isPlain: isPlain)),
        at: location)
      if let anchor { anchors[anchor] = (node, 1) }
      try place(node, size: 1)
    case .sequenceStart(let anchor, let tag), .mappingStart(let anchor, let tag):
      _ = try resolve(tag, ["seq", "map", "omap", "set"], at: event.start)
      if open.count >= Self.maximumDepth {
        try stop("yaml-depth", "nested deeper than \(Self.maximumDepth) levels", at: event.start)
      }
      var isMapping = false
      if case .mappingStart = event.kind { isMapping = true }
      if let anchor {
        openAnchors.insert(anchor)
        anchors[anchor] = nil
      }
      open.append(
        Frame(
          isMapping: isMapping, location: text.location(event.start), anchor: anchor,
          nodesBefore: nodes))
    case .sequenceEnd, .mappingEnd: try close()
    default: break
    }
  }

  private mutating func close() throws {
    guard let frame = open.popLast() else { return }
    let content: Node.Content =
      frame.isMapping ? .mapping(withMerged(frame)) : .sequence(frame.elements)
    let node = Node(content, at: frame.location)
    let size = nodes - frame.nodesBefore + 1
    if let anchor = frame.anchor {
      openAnchors.remove(anchor)
      anchors[anchor] = (node, size)
    }
    try place(node, size: size)
  }

  private mutating func takeAlias(_ name: String, at mark: YAMLEvent.Mark) throws {
    if openAnchors.contains(name) {
      try stop("yaml-alias", "the alias “*\(name)” stands inside of what it means", at: mark)
    }
    guard let anchor = anchors[name] else {
      diagnostics.error(
        "yaml-alias", "there is no anchor “&\(name)” before this alias", at: text.location(mark),
        hint: Suggestions.nearest(to: name, in: Array(anchors.keys)).first
          .map { "did you mean “*\($0)”?" } ?? "text that begins with * must be quoted")
      return try place(.text("", at: text.location(mark), plain: true), size: 1)
    }
    nodes += anchor.size
    try checkSize(at: mark)
    try place(anchor.node, size: anchor.size)
  }

  private func checkSize(at mark: YAMLEvent.Mark) throws {
    if nodes > Self.maximumNodes {
      try stop(
        "yaml-size",
        "the file has more than \(Self.maximumNodes) values, those behind each alias included",
        at: mark)
    }
  }

  /// Puts a finished node where it belongs: the root, a list, a key or a value.
  private mutating func place(_ node: Node, size: Int) throws {
    guard var frame = open.popLast() else {
      root = node
      return
    }
    defer { open.append(frame) }
    guard frame.isMapping else {
      frame.elements.append(node)
      return
    }
    guard let key = frame.key else {
      guard let scalar = node.scalar else {
        diagnostics.error(
          "yaml-key", "a key must be a word, not \(node.shown)", at: node.location,
          hint: "a value that begins with { or [ must be quoted")
        frame.key = ("", node.location, false)
        return
      }
      let isMerge = scalar.isPlain && scalar.text == "<<"
      if let first = frame.keys[scalar.text] {
        diagnostics.error(
          "duplicate-key", "the key “\(scalar.text)” is given twice", at: node.location,
          hint: "it stands first in line \(first.line)")
      }
      frame.keys[scalar.text] = node.location
      frame.key = (scalar.text, node.location, isMerge)
      return
    }
    frame.key = nil
    if !key.isMerge {
      frame.entries.append(Node.Entry(key: key.text, location: key.location, value: node))
    } else if node.mapping != nil {
      frame.merged.append(node)
    } else if let list = node.sequence, list.allSatisfy({ $0.mapping != nil }) {
      frame.merged.append(contentsOf: list)
    } else {
      diagnostics.error(
        "yaml-merge", "“<<” takes a mapping or a list of mappings, not \(node.shown)",
        at: node.location)
    }
  }

  /// The entries of a mapping with those of `<<` behind them; what is written itself wins.
  private func withMerged(_ frame: Frame) -> [Node.Entry] {
    guard !frame.merged.isEmpty else { return frame.entries }
    var entries = frame.entries
    var known = Set(entries.map(\.key))
    for mapping in frame.merged {
      for entry in mapping.mapping ?? [] where known.insert(entry.key).inserted {
        entries.append(entry)
      }
    }
    return entries
  }

  /// Whether `tag` is one of the core tags `names`; a tag of an application is an error.
  private mutating func resolve(
    _ tag: String?, _ names: [String], at mark: YAMLEvent.Mark
  ) throws -> Bool {
    guard let tag, tag != "!" else { return false }
    let core = "tag:yaml.org,2002:"
    guard tag.hasPrefix(core) else {
      diagnostics.error(
        "yaml-tag", "the tag “\(tag)” means nothing here", at: text.location(mark),
        hint: "text that begins with ! must be quoted; ${file:path} takes the text of a file")
      return false
    }
    return names.contains(String(tag.dropFirst(core.count)))
  }

  private func stop(
    _ code: String, _ message: String, at mark: YAMLEvent.Mark, hint: String? = nil
  ) throws {
    throw Stop(
      diagnostic: Diagnostic(.error, code, message, at: text.location(mark), hint: hint))
  }
}
