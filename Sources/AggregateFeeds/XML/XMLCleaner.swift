internal import AggregateCore

/// Prepares UTF-8 text for the XML parser.
///
/// Removes the declaration (the text is UTF-8 by now), the document type and processing
/// instructions, and resolves the references that only they could explain. When lenient it also
/// mends what feeds get wrong: space before the declaration, bare `&` and `<`, control characters.
/// Line ends are kept, so that lines in messages are right.
struct XMLCleaner {
  /// The most bytes that entities declared in the document may add.
  static let maximumExpansion = 4_000_000

  private let isLenient: Bool
  private var out: [UInt8] = []
  private var entities: [String: [UInt8]] = [:]
  private var hasDocumentType = false
  private var expanded = 0
  // What was once looked for in vain is not there further on either.
  private var hasUnclosed: Set<Construct> = []
  // Known once a section has no end.
  private var hasMisspeltEnd = false
  private var lastItemEnd = -1

  private enum Construct: String {
    case comment
    case documentType = "document type"
    case instruction = "processing instruction"
    case section = "CDATA section"
  }

  init(isLenient: Bool) { self.isLenient = isLenient }

  mutating func clean(_ bytes: [UInt8]) throws -> [UInt8] {
    out.reserveCapacity(bytes.count + 64)
    var i = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if isLenient {
      i = Self.documentStart(bytes, from: i)
    } else {
      while i < bytes.count, bytes[i] <= 0x20 {
        if bytes[i] == 10 { out.append(10) }
        i += 1
      }
    }
    var start = i
    while i < bytes.count {
      let byte = bytes[i]
      let isPlain =
        byte != UInt8(ascii: "<") && byte != UInt8(ascii: "&") && byte >= 0x20
        && !(byte == 0xEF && Self.isNonCharacter(bytes, i))
        && !(byte == 0xC2 && isLenient && Self.isControl(bytes, i))
      if isPlain || byte == 10 || byte == 13 || byte == 9 {
        i += 1
        continue
      }
      out.append(contentsOf: bytes[start..<i])
      switch byte {
      case UInt8(ascii: "<"): i = try markup(bytes, at: i)
      case UInt8(ascii: "&"): i = try reference(bytes, at: i)
      case 0xC2:
        // A control character of Latin-1 is a windows-1252 character that somebody converted wrongly.
        Windows1252.append(bytes[i + 1], to: &out)
        i += 2
      case 0xEF:
        if !isLenient { out.append(contentsOf: bytes[i..<i + 3]) }
        i += 3
      default:
        if !isLenient { out.append(byte) }
        i += 1
      }
      start = i
    }
    out.append(contentsOf: bytes[start...])
    return out
  }

  /// Where the document begins: at the first markup, but behind what a web server says before it.
  private static func documentStart(_ bytes: [UInt8], from start: Int) -> Int {
    guard let first = bytes[start...].firstIndex(of: UInt8(ascii: "<")) else { return bytes.count }
    guard let tag = HTMLMarkup.nextTag(in: bytes, from: first), HTMLMarkup.isElement(tag.name)
    else { return first }
    return find("<?xml ", in: bytes, from: first) ?? find("<rss", in: bytes, from: first)
      ?? find("<feed", in: bytes, from: first) ?? find("<rdf:rdf", in: bytes, from: first) ?? first
  }

  private static func isNonCharacter(_ bytes: [UInt8], _ i: Int) -> Bool {
    i + 2 < bytes.count && bytes[i + 1] == 0xBF && bytes[i + 2] >= 0xBE
  }

  private static func isControl(_ bytes: [UInt8], _ i: Int) -> Bool {
    i + 1 < bytes.count && (0x80...0x9F).contains(bytes[i + 1])
  }

  /// Handles what begins with `<`; gives where to go on.
  private mutating func markup(_ bytes: [UInt8], at i: Int) throws -> Int {
    if Self.matches(bytes, i, "<![CDATA[") {
      guard let (end, next) = sectionEnd(bytes, from: i + 9) else {
        if isLenient { return i + 9 }
        out.append(contentsOf: bytes[i...])
        return bytes.count
      }
      out.append(contentsOf: "<![CDATA[".utf8)
      for j in i + 9..<end {
        let byte = bytes[j]
        if isLenient && byte < 0x20 && byte != 9 && byte != 10 && byte != 13 { continue }
        out.append(byte)
      }
      out.append(contentsOf: "]]>".utf8)
      return next
    }
    if Self.matches(bytes, i, "<!--") {
      return try skip(.comment, bytes, i) { _ in
        Self.find("-->", in: bytes, from: i + 4).map { $0 + 3 }
      }
    }
    if Self.matches(bytes, i, "<!doctype") {
      hasDocumentType = true
      return try skip(.documentType, bytes, i) { $0.documentType(bytes, at: i + 9) }
    }
    if Self.matches(bytes, i, "<?") {
      return try skip(.instruction, bytes, i) { _ in
        Self.find("?>", in: bytes, from: i + 2).map { $0 + 2 }
      }
    }
    let next = i + 1 < bytes.count ? bytes[i + 1] : 0x20
    if isLenient, Self.isLetter(next), let end = try startTag(bytes, at: i) { return end }
    if isLenient && !(Self.isLetter(next) || next == UInt8(ascii: "/")) {
      out.append(contentsOf: "&lt;".utf8)
    } else {
      out.append(bytes[i])
    }
    return i + 1
  }

  /// Where the text of a CDATA section ends, and where to go on; nil when there is no end.
  ///
  /// When lenient, a section whose end is misspelt (`]]</title>`) ends there, and one that is cut off
  /// ends with the document. One without an end before further items has nil: its text is markup.
  private mutating func sectionEnd(_ bytes: [UInt8], from start: Int) -> (Int, next: Int)? {
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
  private mutating func startTag(_ bytes: [UInt8], at open: Int) throws -> Int? {
    let mark = out.count
    var i = open + 1
    while i < bytes.count, Self.isNameByte(bytes[i]) { i += 1 }
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
      while i < bytes.count, Self.isNameByte(bytes[i]) { i += 1 }
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
      let isKept = Self.isLetter(name[start]) && names.insert(name).inserted
      let before = out.count
      out.append(UInt8(ascii: " "))
      out.append(contentsOf: name)
      out.append(contentsOf: "=\"".utf8)
      let quote = bytes[i]
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      if isQuoted { i += 1 }
      while i < bytes.count,
        isQuoted ? bytes[i] != quote : bytes[i] > 0x20 && bytes[i] != UInt8(ascii: ">")
      {
        i = try attributeCharacter(bytes, at: i)
      }
      guard i < bytes.count else { break }
      if isQuoted { i += 1 }
      out.append(UInt8(ascii: "\""))
      if !isKept { out.removeLast(out.count - before) }
    }
    out.removeLast(out.count - mark)
    return nil
  }

  private mutating func attributeCharacter(_ bytes: [UInt8], at i: Int) throws -> Int {
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

  /// Leaves out `start..<end` but its line ends; without an end it is text, or an error when strict.
  private mutating func skip(
    _ construct: Construct, _ bytes: [UInt8], _ start: Int,
    to findEnd: (inout XMLCleaner) -> Int?
  ) throws -> Int {
    guard !hasUnclosed.contains(construct), let end = findEnd(&self) else {
      hasUnclosed.insert(construct)
      guard isLenient else {
        let place = bytes.withUnsafeBytes { TextPlace().advanced(over: $0, in: 0..<start) }
        throw AggregateError(
          .badData,
          "the document is not well-formed XML: the \(construct.rawValue) that begins there is not "
            + "closed, at byte \(place.byte)",
          location: place.location(in: ""))
      }
      if construct == .documentType {
        // Text before the outermost element would hide it.
        return bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      }
      out.append(contentsOf: "&lt;".utf8)
      return start + 1
    }
    for j in start..<end where bytes[j] == 10 { out.append(10) }
    return end
  }

  /// Where a document type ends; notes the entities that it declares as text.
  private mutating func documentType(_ bytes: [UInt8], at start: Int) -> Int? {
    var i = start
    var isInside = false
    while i < bytes.count {
      switch bytes[i] {
      case UInt8(ascii: "["): isInside = true
      case UInt8(ascii: "]"): isInside = false
      case UInt8(ascii: ">"): if !isInside { return i + 1 }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        guard let end = bytes[(i + 1)...].firstIndex(of: bytes[i]) else { return nil }
        i = end
      case UInt8(ascii: "<"):
        if Self.matches(bytes, i, "<!--") {
          guard let end = Self.find("-->", in: bytes, from: i + 4) else { return nil }
          i = end + 2
        } else if Self.matches(bytes, i, "<!entity") {
          declareEntity(bytes, at: i + 8)
        }
      default: break
      }
      i += 1
    }
    return nil
  }

  private mutating func declareEntity(_ bytes: [UInt8], at start: Int) {
    var i = start
    while i < bytes.count, bytes[i] <= 0x20 { i += 1 }
    let nameStart = i
    while i < bytes.count, Self.isNameByte(bytes[i]) { i += 1 }
    let name = String(decoding: bytes[nameStart..<i], as: UTF8.self)
    while i < bytes.count, bytes[i] <= 0x20 { i += 1 }
    guard !name.isEmpty, i < bytes.count,
      bytes[i] == UInt8(ascii: "\"") || bytes[i] == UInt8(ascii: "'"),
      let end = bytes[(i + 1)...].prefix(4096).firstIndex(of: bytes[i])
    else { return }
    let value = HTMLEntities.decoded(String(decoding: bytes[(i + 1)..<end], as: UTF8.self))
    if entities[name] == nil { entities[name] = Self.escaped(value) }
  }

  /// Handles what begins with `&`; gives where to go on.
  private mutating func reference(_ bytes: [UInt8], at i: Int) throws -> Int {
    let limit = min(bytes.count, i + 40)
    if let end = bytes[i..<limit].firstIndex(of: UInt8(ascii: ";")) {
      let body = bytes[(i + 1)..<end]
      if body.first == UInt8(ascii: "#") {
        if let value = Self.number(body.dropFirst()) {
          if isLenient, let (scalar, next) = Self.utf8Reference(bytes, at: i, first: value) {
            out.append(contentsOf: String(Character(scalar)).utf8)
            return next
          }
          if Self.isLegal(value) {
            let mended = isLenient ? HTMLEntities.mended(value) : value
            out.append(contentsOf: "&#\(mended);".utf8)
            return end + 1
          } else if isLenient {
            return end + 1
          }
        }
      } else if !body.isEmpty, body.allSatisfy(Self.isNameByte) {
        let name = String(decoding: body, as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) {
          out.append(contentsOf: bytes[i...end])
          return end + 1
        }
        if let value = entities[name] {
          expanded += value.count
          if expanded > Self.maximumExpansion {
            throw AggregateError(
              .limit,
              "the entities declared in the XML document grow beyond "
                + "\(Self.maximumExpansion / 1_000_000) MB")
          }
          out.append(contentsOf: value)
          return end + 1
        }
        if isLenient, let value = HTMLEntities.text(of: name)?.unicodeScalars.first?.value,
          let (scalar, next) = Self.utf8Reference(bytes, at: i, first: value)
        {
          out.append(contentsOf: String(Character(scalar)).utf8)
          return next
        }
        if isLenient || hasDocumentType, let value = HTMLEntities.text(of: name) {
          out.append(contentsOf: value.utf8)
          return end + 1
        }
      }
    }
    out.append(contentsOf: isLenient ? Array("&amp;".utf8) : [bytes[i]])
    return i + 1
  }

  /// A character whose UTF-8 bytes somebody wrote as one reference each (`&#226;&#128;&brvbar;`), and
  /// where its last reference ends. At least one of them must be a control character of Latin-1,
  /// which nobody means.
  private static func utf8Reference(
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

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    let text = String(decoding: digits, as: UTF8.self)
    if text.hasPrefix("x") || text.hasPrefix("X") { return UInt32(text.dropFirst(), radix: 16) }
    return UInt32(text)
  }

  private static func isLegal(_ value: UInt32) -> Bool {
    guard Unicode.Scalar(value) != nil else { return false }
    return value >= 0x20 && value != 0xFFFE && value != 0xFFFF || value == 9 || value == 10
      || value == 13
  }

  private static func escaped(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): out.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
      case 0..<0x20 where byte != 9 && byte != 10 && byte != 13: break
      default: out.append(byte)
      }
    }
    return out
  }

  /// Whether `word` (lower case, ASCII) stands at `i`; letters match in either case.
  private static func matches(_ bytes: [UInt8], _ i: Int, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard i + count <= bytes.count else { return false }
    for j in 0..<count {
      let wanted = word.utf8Start[j]
      let found = bytes[i + j]
      if found != wanted && !(isLetter(found) && isLetter(wanted) && found | 0x20 == wanted | 0x20)
      {
        return false
      }
    }
    return true
  }

  private static func find(
    _ word: StaticString, in bytes: [UInt8], from start: Int, to end: Int = .max
  ) -> Int? {
    let end = min(end, bytes.count)
    var i = start
    while i < end {
      guard let next = bytes[i..<end].firstIndex(of: word.utf8Start[0]) else { return nil }
      if matches(bytes, next, word) { return next }
      i = next + 1
    }
    return nil
  }

  private static func lastIndex(of word: StaticString, in bytes: [UInt8]) -> Int {
    var i = bytes.count
    while let next = bytes[..<i].lastIndex(of: word.utf8Start[0]) {
      if matches(bytes, next, word) { return next }
      i = next
    }
    return -1
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }
}
