/// What feeds get wrong, read as it was meant.
extension XMLCleaner {
  /// Where the document begins: at the first markup, but behind what a web server says before it.
  static func documentStart(_ bytes: [UInt8], from start: Int) -> Int {
    guard let first = bytes[start...].firstIndex(of: UInt8(ascii: "<")) else { return bytes.count }
    guard let tag = HTMLMarkup.nextTag(in: bytes, from: first), HTMLMarkup.isElement(tag.name)
    else { return first }
    return feedStart(bytes, from: first) ?? first
  }

  /// Whether a feed, or an XML declaration, begins somewhere behind `start`.
  static func namesFeed(_ bytes: [UInt8], from start: Int) -> Bool {
    feedStart(bytes, from: start) != nil
  }

  private static func feedStart(_ bytes: [UInt8], from start: Int) -> Int? {
    find("<?xml ", in: bytes, from: start) ?? find("<rss", in: bytes, from: start)
      ?? find("<feed", in: bytes, from: start) ?? find("<rdf:rdf", in: bytes, from: start)
  }

  /// Where the text of a CDATA section ends, and where to go on; nil when there is no end.
  ///
  /// When lenient, a section whose end is misspelt (`]]</title>`) ends there, and one that is cut off
  /// ends with the document. One without an end before further items has nil: its text is markup.
  mutating func sectionEnd(_ bytes: [UInt8], from start: Int) -> (Int, next: Int)? {
    let end = hasUnclosed.contains(.section) ? nil : Self.find("]]>", in: bytes, from: start)
    guard isLenient else { return end.map { ($0, $0 + 3) } }
    if let end {
      guard let inner = Self.find("<![cdata[", in: bytes, from: start, to: end),
        let misspelt = Self.find("]]</", in: bytes, from: start, to: inner)
      else { return (end, end + 3) }
      return (misspelt, misspelt + 2)
    }
    if hasUnclosed.insert(.section).inserted {
      hasMisspeltEnd = Self.find("]]</", in: bytes, from: start) != nil
      lastItemEnd =
        [Self.lastIndex(of: "</item", in: bytes), Self.lastIndex(of: "</entry", in: bytes)]
        .max() ?? -1
    }
    if hasMisspeltEnd {
      if let misspelt = Self.find("]]</", in: bytes, from: start) {
        return (misspelt, misspelt + 2)
      }
      hasMisspeltEnd = false
    }
    return start > lastItemEnd ? (bytes.count, bytes.count) : nil
  }

  /// Writes a start tag with its attributes as they should be: quoted, escaped, each once; gives where
  /// to go on, or nil when it does not end. A tag costs what it is long.
  mutating func startTag(_ bytes: [UInt8], at open: Int) throws -> Int? {
    let mark = out.count
    var i = Self.nameEnd(bytes, from: open + 1)
    guard i > open + 1 else { return nil }
    out.append(contentsOf: bytes[open..<i])
    var names: Set<ArraySlice<UInt8>> = []
    while i < bytes.count, bytes[i] != UInt8(ascii: "<") {
      if bytes[i] == UInt8(ascii: ">") {
        out.append(bytes[i])
        return i + 1
      }
      if bytes[i] == UInt8(ascii: "/"), i + 1 < bytes.count, bytes[i + 1] == UInt8(ascii: ">") {
        out.append(contentsOf: "/>".utf8)
        return i + 2
      }
      let start = i
      i = Self.nameEnd(bytes, from: start)
      if i == start {
        // Line ends are kept, so that lines in messages are right.
        if bytes[i] == 10 { out.append(10) }
        i += 1
        continue
      }
      let name = bytes[start..<i]
      while i < bytes.count, bytes[i] <= 0x20 { i += 1 }
      guard i < bytes.count, bytes[i] == UInt8(ascii: "=") else { continue }
      i += 1
      while i < bytes.count, bytes[i] <= 0x20 { i += 1 }
      guard i < bytes.count else { break }
      let isKept = names.insert(name).inserted
      let before = out.count
      out.append(UInt8(ascii: " "))
      out.append(contentsOf: name)
      out.append(contentsOf: "=\"".utf8)
      let quote = bytes[i]
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      if isQuoted { i += 1 }
      let (valueStart, valueMark) = (i, out.count)
      var isOpen = false
      while i < bytes.count,
        isQuoted ? bytes[i] != quote : bytes[i] > 0x20 && bytes[i] != UInt8(ascii: ">")
      {
        if isQuoted, bytes[i] == UInt8(ascii: "<"), FeedVocabulary.begins(bytes, i) {
          isOpen = true
          break
        }
        i = try attributeCharacter(bytes, at: i)
      }
      guard i < bytes.count else { break }
      if isOpen {
        // The quote is not closed: the value ends with its tag.
        let end = bytes[valueStart..<i].firstIndex(of: UInt8(ascii: ">")) ?? i
        out.removeLast(out.count - valueMark)
        i = valueStart
        while i < end { i = try attributeCharacter(bytes, at: i) }
      } else if isQuoted {
        i += 1
      }
      out.append(UInt8(ascii: "\""))
      if !isKept { out.removeLast(out.count - before) }
    }
    if i < bytes.count, FeedVocabulary.begins(bytes, open) {
      // A part of the feed whose tag lacks its angle.
      out.append(UInt8(ascii: ">"))
      return i
    }
    out.removeLast(out.count - mark)
    return nil
  }

  mutating func attributeCharacter(_ bytes: [UInt8], at i: Int) throws -> Int {
    switch bytes[i] {
    case UInt8(ascii: "&"): return try reference(bytes, at: i)
    case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
    case 0..<0x20 where bytes[i] != 9 && bytes[i] != 10 && bytes[i] != 13: break
    case 0xEF where Self.isNonCharacter(bytes, i): return i + 3
    default: out.append(bytes[i])
    }
    return i + 1
  }

  /// A character above U+FFFF that is written as two references, one for each half in UTF-16
  /// (`&#55357;&#56832;`), and where the second ends.
  static func surrogatePair(
    _ bytes: [UInt8], behind end: Int, high: UInt32
  ) -> (Unicode.Scalar, Int)? {
    let start = end + 1
    guard (0xD800...0xDBFF).contains(high), start + 2 < bytes.count,
      bytes[start] == UInt8(ascii: "&"), bytes[start + 1] == UInt8(ascii: "#"),
      let close = bytes[start..<min(bytes.count, start + 10)].firstIndex(of: UInt8(ascii: ";")),
      let low = number(bytes[(start + 2)..<close]),
      let scalar = HTMLEntities.paired(high, low)
    else { return nil }
    return (scalar, close + 1)
  }

  /// A character whose UTF-8 bytes somebody wrote as one reference each (`&#226;&#128;&brvbar;`), and
  /// where its last reference ends. At least one of them must be a control character of Latin-1,
  /// which nobody means.
  static func utf8Reference(
    _ bytes: [UInt8], at start: Int, first: UInt32
  ) -> (Unicode.Scalar, Int)? {
    guard (0xC2...0xF4).contains(first) else { return nil }
    let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var units: [UInt8] = []
    var i = start
    while units.count < count {
      guard i + 3 < bytes.count, bytes[i] == UInt8(ascii: "&"),
        let end = bytes[i..<min(bytes.count, i + 9)].firstIndex(of: UInt8(ascii: ";")), end > i + 1,
        let value = bytes[i + 1] == UInt8(ascii: "#")
          ? number(bytes[(i + 2)..<end])
          : HTMLEntities.text(of: String(decoding: bytes[(i + 1)..<end], as: UTF8.self))?
            .unicodeScalars.first?.value,
        (0x80...0xF4).contains(value)
      else { return nil }
      units.append(UInt8(value))
      i = end + 1
    }
    guard units.contains(where: { $0 < 0xA0 }), EncodingDetection.isValidUTF8(units),
      let scalar = String(decoding: units, as: UTF8.self).unicodeScalars.first
    else { return nil }
    return (scalar, i)
  }
}
