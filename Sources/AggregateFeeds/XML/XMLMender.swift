internal import AggregateCore

/// Makes a tree of tags that do not fit one another, as the readers of feeds do.
///
/// - What an item or a part of it leaves open ends with its end tag, or where the next item begins.
/// - An element of HTML without content needs no end tag.
/// - A part of an item ends where the next part begins, when its own end tag is not to come.
/// - A tag of an unknown name without an end tag is text.
///
/// Nothing but tags is ever left out. All steps are linear in the size of the text.
struct XMLMender {
  /// The deepest nesting that is written; libxml2 reads 256.
  static let maximumDepth = 200

  private(set) var repairs = FeedRepairs()
  private let text: [UInt8]
  private let original: [UInt8]
  private var tags: XMLTags
  private var out: [UInt8] = []
  private var copied = 0
  private var stack: [Open] = []
  private var written = 0
  /// Where the elements of each name are in the stack.
  private var places: [[Int]]
  /// Where items and what holds them are in the stack, and parts of them.
  private var scopes: [Int] = []
  private var parts: [Int] = []
  private var isRootEnded = false

  private struct Open {
    let name: Int
    let spelling: Range<Int>
    let kind: FeedVocabulary.Kind
    let isForeign: Bool
    let isWritten: Bool
    let hasEnd: Bool
    /// The outermost element without an end tag from the scope to this one; -1 for none.
    let outermostUnclosed: Int
  }

  /// Prepares to mend what the cleaner made of `original`.
  init(_ text: [UInt8], _ starts: [XMLCleaner.StartTag], original: [UInt8]) {
    self.text = text
    self.original = original
    tags = XMLTags(text, starts)
    places = Array(repeating: [], count: tags.names.count)
    out.reserveCapacity(text.count + text.count / 16)
  }

  /// The text with each element closed.
  mutating func mend() -> [UInt8] {
    for tag in tags.all {
      if stack.isEmpty {
        // Text outside the outermost element is none.
        if tag.role != .start && tag.role != .empty { continue }
        if !out.isEmpty { break }
      } else {
        copy(to: tag.range.lowerBound)
      }
      copied = tag.range.upperBound
      switch tag.role {
      case .start, .empty: start(tag)
      case .end: end(tag)
      case .literal: out.append(contentsOf: "&lt;".utf8)
      }
    }
    if !stack.isEmpty { copy(to: text.count) }
    repairs.isCutOff = !isRootEnded && !stack.isEmpty
    while stack.count > 1 { pop(isMeant: !isRootEnded) }
    pop(isMeant: true)
    return out
  }

  // MARK: Tags

  private mutating func start(_ tag: XMLTags.Tag) {
    let name = tags.names[tag.name]
    var isForeign = stack.last?.isForeign ?? false
    var kind = name.kind
    if let namespace = tag.namespace {
      isForeign = tags.isForeign(namespace)
      if isForeign, kind != .item, kind != .container { kind = isInPart ? .html : .part }
    } else if isForeign, !name.hasPrefix, kind != .item {
      kind = HTMLMarkup.isVoid(name.key) ? .void : .html
    }
    if kind == .plain || kind == .part, isMarkup(name) {
      kind = HTMLMarkup.isVoid(name.key) ? .void : .html
    }
    switch kind {
    case .item, .container:
      if let scope = scopes.last(where: { stack[$0].kind == .container }) {
        pop(to: scope + 1)
      } else if kind == .item, let root = scopes.first {
        pop(to: root + 1)
      }
    case .plain, .part:
      if let unclosed = stack.last?.outermostUnclosed, unclosed >= 0 { pop(to: unclosed) }
      if isInPart, let part = parts.last, stack[part].kind == .plain { pop(to: part) }
      if name.key == "link", !tag.hasEnd, tag.role == .start, tags.hasAddress(tag) {
        return writeEmpty(tag)
      }
    case .void:
      if !tag.hasEnd { return writeEmpty(tag) }
    case .html, .unknown:
      if kind == .unknown, isInPart, !tag.hasEnd, tag.role == .start { return writeAsText(tag) }
      if let last = places[tag.name].last, last > innermost, !stack[last].hasEnd { pop(to: last) }
    }
    if tag.role == .empty { return writeEmpty(tag) }
    push(tag, kind, isForeign)
  }

  private mutating func end(_ tag: XMLTags.Tag) {
    let name = tags.names[tag.name]
    if let place = places[tag.name].last {
      if place == 0 {
        pop(to: 1)
        isRootEnded = true
        return
      }
      let isReached =
        switch name.kind {
        case .container, .item: true
        case .plain, .part: place > (scopes.last ?? 0)
        case .void, .html, .unknown: place > innermost || place == parts.last
        }
      if isReached {
        pop(to: place + 1)
        return pop(isMeant: true)
      }
    }
    switch name.kind {
    case .plain, .part, .unknown:
      // The misspelt end of a part, when no more text of it comes.
      if let part = stack.last, part.kind == .plain || part.kind == .part, !part.hasEnd,
        text[tag.range.upperBound...].first(where: { $0 > 0x20 }) == UInt8(ascii: "<")
      {
        pop(isMeant: true)
      }
    case .void:
      // Browsers read it so.
      if name.key == "br", isInPart { out.append(contentsOf: "<br/>".utf8) }
    case .item, .container, .html: break
    }
  }

  /// Whether a name that feeds and HTML share stands where it is HTML's.
  private func isMarkup(_ name: XMLTags.Name) -> Bool {
    name.hosts.contains { host in places[host].last.map { $0 > innermost } ?? false }
  }

  // MARK: The stack

  /// Whether the text of a part is being read.
  private var isInPart: Bool { (parts.last ?? -1) > (scopes.last ?? -1) }

  /// The place of the innermost item, container or part.
  private var innermost: Int { max(parts.last ?? 0, scopes.last ?? 0) }

  private mutating func push(
    _ tag: XMLTags.Tag, _ kind: FeedVocabulary.Kind, _ isForeign: Bool
  ) {
    let place = stack.count
    let isScope = place == 0 || kind == .item || kind == .container
    let outer = stack.last?.outermostUnclosed ?? -1
    let isWritten = written < Self.maximumDepth
    if isWritten {
      out.append(contentsOf: text[tag.range])
      written += 1
    } else {
      repairs.droppedTags += 1
    }
    if isScope {
      scopes.append(place)
    } else if !isInPart, kind == .plain || kind == .part {
      parts.append(place)
    }
    places[tag.name].append(place)
    stack.append(
      Open(
        name: tag.name, spelling: tags.spelling(of: tag), kind: kind, isForeign: isForeign,
        isWritten: isWritten, hasEnd: tag.hasEnd,
        outermostUnclosed: isScope ? -1 : outer >= 0 ? outer : tag.hasEnd ? -1 : place))
  }

  /// Closes what is open from `count` on.
  private mutating func pop(to count: Int) {
    while stack.count > count { pop(isMeant: false) }
  }

  private mutating func pop(isMeant: Bool) {
    guard let open = stack.popLast() else { return }
    let place = stack.count
    places[open.name].removeLast()
    if scopes.last == place { scopes.removeLast() }
    if parts.last == place { parts.removeLast() }
    if !isMeant {
      switch open.kind {
      case .item, .plain, .part: repairs.closedElements += 1
      // What holds items ends with them, and browsers close HTML.
      case .container, .void, .html, .unknown: break
      }
    }
    guard open.isWritten else { return }
    written -= 1
    out.append(contentsOf: "</".utf8)
    out.append(contentsOf: text[open.spelling])
    out.append(UInt8(ascii: ">"))
  }

  // MARK: Writing

  /// Writes the text up to `end`, where it may not have the end of a section.
  private mutating func copy(to end: Int) {
    // Space behind the document is none of it.
    if isRootEnded, stack.count == 1, text[copied..<end].allSatisfy({ $0 <= 0x20 }) {
      copied = end
      return
    }
    var i = copied
    while let mark = XMLCleaner.find("]]>", in: text, from: i, to: end), mark + 3 <= end {
      let section = XMLCleaner.find("<![cdata[", in: text, from: i, to: mark)
      if section == nil {
        out.append(contentsOf: text[i..<(mark + 2)])
        out.append(contentsOf: "&gt;".utf8)
      } else {
        out.append(contentsOf: text[i..<(mark + 3)])
      }
      i = mark + 3
    }
    if i < end { out.append(contentsOf: text[i..<end]) }
    copied = end
  }

  private mutating func writeEmpty(_ tag: XMLTags.Tag) {
    if tag.role == .empty {
      out.append(contentsOf: text[tag.range])
    } else {
      out.append(contentsOf: text[tag.range].dropLast())
      out.append(contentsOf: "/>".utf8)
    }
  }

  /// Writes a tag as the text that it was.
  private mutating func writeAsText(_ tag: XMLTags.Tag) {
    out.append(contentsOf: XMLCleaner.escaped(original[tag.original]))
  }
}
