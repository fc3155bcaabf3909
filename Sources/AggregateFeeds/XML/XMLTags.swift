internal import AggregateCore

/// The tags of a text that was cleaned, and which of them belong together by their names.
struct XMLTags {
  /// What a tag does.
  enum Role {
    case start
    case end
    /// Start and end in one.
    case empty
    /// None: what begins like one is text.
    case literal
  }

  /// A tag by its place.
  struct Tag {
    let range: Range<Int>
    /// Where it was before the text was cleaned.
    let original: Range<Int>
    let name: Int
    let role: Role
    /// The default namespace that it declares.
    let namespace: String?
    /// Whether its end tag is to come before the item ends.
    var hasEnd = false
  }

  /// A name as it was written, in lower case, and what it means.
  struct Name {
    let hasPrefix: Bool
    let key: String
    let kind: FeedVocabulary.Kind
    /// The names, by number, inside which it is one of HTML.
    let hosts: [Int]
  }

  private(set) var all: [Tag] = []
  private(set) var names: [Name] = []
  private let text: [UInt8]
  private var numbers: [String: Int] = [:]
  private var spellings: [String] = []
  private var prefixes: [String: String] = [:]
  private var own: String?
  private var root: String?

  /// Finds the tags of a text in which `starts` are the start tags.
  init(_ text: [UInt8], _ starts: [XMLCleaner.StartTag]) {
    self.text = text
    all.reserveCapacity(starts.count * 2)
    find(starts)
    for index in spellings.indices { names.append(understood(spellings[index])) }
    pair()
  }

  /// Whether elements without a prefix are not those of the feed where this is the default namespace.
  func isForeign(_ namespace: String) -> Bool {
    namespace != own && FeedNames.prefix(of: namespace) != ""
  }

  /// The name of a tag as it stands in the text.
  func spelling(of tag: Tag) -> Range<Int> {
    let start = tag.range.lowerBound + (tag.role == .end ? 2 : 1)
    return start..<XMLCleaner.nameEnd(text, from: start)
  }

  /// Whether a tag has the attribute `href`, as links of Atom have.
  func hasAddress(_ tag: Tag) -> Bool {
    XMLCleaner.find(" href=\"", in: text, from: tag.range.lowerBound, to: tag.range.upperBound)
      != nil
  }

  private mutating func find(_ starts: [XMLCleaner.StartTag]) {
    var next = 0
    var i = 0
    while let open = text[i...].firstIndex(of: UInt8(ascii: "<")) {
      if next < starts.count, starts[next].written.lowerBound == open {
        add(starts[next])
        i = starts[next].written.upperBound
        next += 1
      } else if XMLCleaner.matches(text, open, "<![cdata[") {
        i = XMLCleaner.find("]]>", in: text, from: open + 9).map { $0 + 3 } ?? text.count
      } else if open + 2 < text.count, text[open + 1] == UInt8(ascii: "/"),
        XMLCleaner.isLetter(text[open + 2])
      {
        i = XMLCleaner.nameEnd(text, from: open + 2)
        let name = number(of: text[(open + 2)..<i])
        while i < text.count, text[i] != UInt8(ascii: ">"), text[i] != UInt8(ascii: "<") { i += 1 }
        if i < text.count, text[i] == UInt8(ascii: ">") { i += 1 }
        all.append(Tag(range: open..<i, original: 0..<0, name: name, role: .end, namespace: nil))
      } else {
        i = open + 1
        all.append(
          Tag(range: open..<i, original: 0..<0, name: 0, role: .literal, namespace: nil))
      }
    }
  }

  private mutating func add(_ start: XMLCleaner.StartTag) {
    let range = start.written
    let end = XMLCleaner.nameEnd(text, from: range.lowerBound + 1)
    let name = number(of: text[(range.lowerBound + 1)..<end])
    var namespace: String?
    var i = end
    while let mark = XMLCleaner.find(" xmlns", in: text, from: i, to: range.upperBound) {
      i = mark + 6
      let isDefault = text[i] == UInt8(ascii: "=")
      guard isDefault || text[i] == UInt8(ascii: ":"),
        let equals = text[i..<range.upperBound].firstIndex(of: UInt8(ascii: "=")),
        equals + 1 < range.upperBound, text[equals + 1] == UInt8(ascii: "\""),
        let close = text[(equals + 2)..<range.upperBound].firstIndex(of: UInt8(ascii: "\""))
      else { continue }
      let value = String(decoding: text[(equals + 2)..<close], as: UTF8.self)
      if isDefault {
        namespace = value
      } else {
        let prefix = String(decoding: text[(i + 1)..<equals], as: UTF8.self).lowercased()
        if prefixes[prefix] == nil { prefixes[prefix] = value }
      }
      i = close
    }
    if root == nil {
      let spelling = spellings[name]
      root = spelling
      own =
        spelling.firstIndex(of: ":").flatMap { prefixes[String(spelling[..<$0])] } ?? namespace
    }
    let isEmpty = text[range.upperBound - 2] == UInt8(ascii: "/")
    all.append(
      Tag(
        range: range, original: start.original, name: name, role: isEmpty ? .empty : .start,
        namespace: namespace))
  }

  private mutating func number(of name: ArraySlice<UInt8>) -> Int {
    let spelling = String(decoding: name, as: UTF8.self).lowercased()
    if let known = numbers[spelling] { return known }
    let number = spellings.count
    numbers[spelling] = number
    spellings.append(spelling)
    return number
  }

  private func understood(_ spelling: String) -> Name {
    guard let colon = spelling.firstIndex(of: ":") else {
      let key = FeedNames(own: own).key(XMLName(local: spelling, prefix: nil, namespace: own))
      return Name(
        hasPrefix: false, key: key, kind: FeedVocabulary.kind(key: key, hasBoundPrefix: false),
        hosts: FeedVocabulary.hosts(of: key).compactMap { numbers[$0] })
    }
    let prefix = String(spelling[..<colon])
    let namespace = prefixes[prefix]
    let name = XMLName(
      local: String(spelling[spelling.index(after: colon)...]), prefix: prefix,
      namespace: namespace)
    let key = FeedNames(own: own).key(name)
    var kind = FeedVocabulary.kind(key: key, hasBoundPrefix: namespace != nil)
    if namespace.map(FeedVocabulary.isMarkup) ?? false { kind = .html }
    // Inside a feed, RDF is what describes a picture or a license.
    if key == "rdf:rdf", spelling != root { kind = .part }
    return Name(hasPrefix: true, key: key, kind: kind, hosts: [])
  }

  /// Finds out which start tags have an end tag within their item.
  private mutating func pair() {
    var open: [[Int]] = Array(repeating: [], count: names.count)
    var items = Array(repeating: 0, count: names.count)
    var item = 0
    for index in all.indices {
      let tag = all[index]
      if tag.role == .literal { continue }
      switch names[tag.name].kind {
      case .item, .container:
        item += 1
        all[index].hasEnd = true
        continue
      default: break
      }
      if items[tag.name] != item {
        items[tag.name] = item
        open[tag.name].removeAll()
      }
      switch tag.role {
      case .start: open[tag.name].append(index)
      case .end: if let start = open[tag.name].popLast() { all[start].hasEnd = true }
      case .empty: all[index].hasEnd = true
      case .literal: break
      }
    }
  }
}
