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

  /// A start tag by its place in what was cleaned, and in what is given out.
  struct StartTag {
    let written: Range<Int>
    let original: Range<Int>
  }

  let isLenient: Bool
  /// The start tags so far, when they are wanted.
  private(set) var startTags: [StartTag] = []
  private let keepsTags: Bool
  var out: [UInt8] = []
  private var entities: [String: [UInt8]] = [:]
  private var hasDocumentType = false
  private var expanded = 0
  // What was once looked for in vain is not there further on either.
  var hasUnclosed: Set<Construct> = []
  // Known once a section has no end.
  var hasMisspeltEnd = false
  var lastItemEnd = -1

  enum Construct: String {
    case comment
    case documentType = "document type"
    case instruction = "processing instruction"
    case section = "CDATA section"
  }

  init(isLenient: Bool, keepsTags: Bool = false) {
    self.isLenient = isLenient
    self.keepsTags = keepsTags
  }

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

  static func isNonCharacter(_ bytes: [UInt8], _ i: Int) -> Bool {
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
    let mark = out.count
    if isLenient, Self.isLetter(next), let end = try startTag(bytes, at: i) {
      if keepsTags {
        startTags.append(StartTag(written: mark..<out.count, original: i..<end))
      }
      return end
    }
    if isLenient && next != UInt8(ascii: "/") {
      out.append(contentsOf: "&lt;".utf8)
    } else {
      out.append(bytes[i])
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
    if entities[name] == nil { entities[name] = Self.escaped(value.utf8) }
  }

  /// Handles what begins with `&`; gives where to go on.
  mutating func reference(_ bytes: [UInt8], at i: Int) throws -> Int {
    let limit = min(bytes.count, i + 40)
    if let end = bytes[i..<limit].firstIndex(of: UInt8(ascii: ";")) {
      let body = bytes[(i + 1)..<end]
      if body.first == UInt8(ascii: "#") {
        if let value = Self.number(body.dropFirst()) {
          if isLenient, let (scalar, next) = Self.utf8Reference(bytes, at: i, first: value) {
            out.append(contentsOf: String(Character(scalar)).utf8)
            return next
          }
          if isLenient, let (scalar, next) = Self.surrogatePair(bytes, behind: end, high: value) {
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

  static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    let text = String(decoding: digits, as: UTF8.self)
    if text.hasPrefix("x") || text.hasPrefix("X") { return UInt32(text.dropFirst(), radix: 16) }
    return UInt32(text)
  }

  private static func isLegal(_ value: UInt32) -> Bool {
    guard Unicode.Scalar(value) != nil else { return false }
    return value >= 0x20 && value != 0xFFFE && value != 0xFFFF || value == 9 || value == 10
      || value == 13
  }

  /// Bytes as the text of an element or an attribute; controls, which no XML may have, are left out.
  static func escaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var out: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): out.append(contentsOf: "&amp;".utf8)
      case UInt8(ascii: "<"): out.append(contentsOf: "&lt;".utf8)
      case UInt8(ascii: ">"): out.append(contentsOf: "&gt;".utf8)
      case UInt8(ascii: "\""): out.append(contentsOf: "&quot;".utf8)
      case 0..<0x20 where byte != 9 && byte != 10 && byte != 13: break
      default: out.append(byte)
      }
    }
    return out
  }
}
