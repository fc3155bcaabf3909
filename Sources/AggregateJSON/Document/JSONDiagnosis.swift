internal import AggregateCore

/// Finds out, byte by byte, why a text is not a JSON document; runs only when parsing has failed.
struct JSONDiagnosis {
  /// The first thing that is wrong.
  struct Finding: Error, Equatable {
    /// Where, in bytes from the beginning of the buffer.
    var position: Int
    /// What was found and what was expected.
    var message: String
    /// Whether the text ends too early.
    var isTruncated = false
    /// What may be the reason.
    var hint: String?
  }

  private let bytes: UnsafeRawBufferPointer
  private let end: Int
  private var i: Int

  private init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    self.bytes = bytes
    i = range.lowerBound
    end = range.upperBound
  }

  /// The first thing that is wrong with `range` of `buffer`; nil when it is a JSON document.
  static func finding(in buffer: ByteBuffer, _ range: Range<Int>) -> Finding? {
    buffer.withUnsafeBytes { bytes in
      var diagnosis = JSONDiagnosis(bytes, range)
      do throws(Finding) {
        if let other = diagnosis.otherFormat() { throw other }
        try diagnosis.document()
        return nil
      } catch {
        return error
      }
    }
  }

  /// The error for a text that parsing has refused.
  static func error(in buffer: ByteBuffer, _ range: Range<Int>) -> AggregateError {
    guard let finding = finding(in: buffer, range) else {
      return AggregateError(.internal, "valid JSON was refused")
    }
    let (line, column) = buffer.withUnsafeBytes { bytes in
      let before = bytes[range.lowerBound..<finding.position]
      let lineStart = before.lastIndex(of: 10).map { $0 + 1 } ?? range.lowerBound
      let line = before.reduce(1) { $1 == 10 ? $0 + 1 : $0 }
      let text = String(decoding: bytes[lineStart..<finding.position], as: UTF8.self)
      return (line, text.unicodeScalars.count + 1)
    }
    let place =
      range.isEmpty
      ? "" : " at line \(line), column \(column) (byte \(finding.position - range.lowerBound))"
    return AggregateError(.badData, finding.message + place, hint: finding.hint)
  }

  // MARK: Texts that were never meant as JSON

  private func otherFormat() -> Finding? {
    var start = i
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    if start == end {
      return Finding(
        position: start,
        message: i == end
          ? "the document is empty, but JSON was expected"
          : "the document has only white space, but JSON was expected", isTruncated: true)
    }
    let head = String(decoding: bytes[start..<min(end, start + 256)], as: UTF8.self)
    let lowered = head.lowercased()
    if lowered.hasPrefix("<") {
      let isHTML =
        lowered.hasPrefix("<!doctype html") || lowered.hasPrefix("<html")
        || lowered.contains("<head") || lowered.contains("<body")
      let name = isHTML ? "HTML" : "XML or HTML"
      return Finding(
        position: start, message: "this is \(name), not JSON: it begins with “\(Self.short(head))”",
        hint: isHTML
          ? "the address may be that of a page, or the service answered with an error page" : nil)
    }
    let first = Array(bytes[start..<min(end, start + 4)])
    if first.starts(with: [0x1F, 0x8B]) {
      return Finding(position: start, message: "this is gzip data, not JSON")
    }
    if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF])
      || (first.count >= 2 && first[0] == 0) || (first.count >= 2 && first[1] == 0)
    {
      return Finding(
        position: start, message: "this is not UTF-8 (perhaps UTF-16), but JSON is",
        hint: "convert it with: iconv -f UTF-16 -t UTF-8")
    }
    return nil
  }

  // MARK: The grammar

  private mutating func document() throws(Finding) {
    var stack: [UInt8] = []
    var expectsKey = false
    space()
    while true {
      if expectsKey {
        try key()
        expectsKey = false
      }
      guard i < end else { throw truncated("where a value was expected", stack) }
      if bytes[i] == UInt8(ascii: "{") || bytes[i] == UInt8(ascii: "[") {
        let opening = bytes[i]
        if stack.count == JSONDocument.maximumDepth {
          throw Finding(
            position: i,
            message: "objects and arrays nest deeper than \(JSONDocument.maximumDepth) levels")
        }
        stack.append(opening)
        i += 1
        space()
        guard i < end else { throw truncated("in \(Self.name(opening))", stack) }
        if bytes[i] != Self.closing(opening) {
          expectsKey = opening == UInt8(ascii: "{")
          continue
        }
      } else {
        try scalar()
        space()
        if stack.isEmpty {
          if i < end { throw trailing() }
          return
        }
      }
      // Behind a value, or at the closing bracket of an empty object or array.
      while let opening = stack.last {
        guard i < end else { throw truncated("in \(Self.name(opening))", stack) }
        if bytes[i] == Self.closing(opening) {
          stack.removeLast()
          i += 1
          space()
          if stack.isEmpty {
            if i < end { throw trailing() }
            return
          }
        } else if bytes[i] == UInt8(ascii: ",") {
          i += 1
          space()
          expectsKey = opening == UInt8(ascii: "{")
          break
        } else {
          throw Finding(
            position: i,
            message: "found \(found()), but expected “,” or “\(Self.shown(Self.closing(opening)))”")
        }
      }
    }
  }

  private mutating func key() throws(Finding) {
    guard i < end else { throw truncated("where a key was expected", [0]) }
    guard bytes[i] == UInt8(ascii: "\"") else {
      throw Finding(
        position: i, message: "found \(found()), but expected a key in double quotes",
        hint: bytes[i] == UInt8(ascii: "}") ? "there is a “,” behind the last member" : nil)
    }
    try string()
    space()
    guard i < end else { throw truncated("behind a key", [0]) }
    guard bytes[i] == UInt8(ascii: ":") else {
      throw Finding(position: i, message: "found \(found()), but expected “:” behind the key")
    }
    i += 1
    space()
  }

  private mutating func scalar() throws(Finding) {
    switch bytes[i] {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default:
      throw Finding(
        position: i, message: "found \(found()), but expected a JSON value",
        hint: bytes[i] == UInt8(ascii: "]")
          ? "there is a “,” behind the last element"
          : bytes[i] == UInt8(ascii: "'") ? "JSON has double quotes only" : nil)
    }
  }

  private mutating func word(_ word: StaticString) throws(Finding) {
    let start = i
    while i < end, Self.isWord(bytes[i]) { i += 1 }
    let text = String(decoding: bytes[start..<i], as: UTF8.self)
    if text == "\(word)" { return }
    let isCut = i == end && "\(word)".hasPrefix(text)
    throw Finding(
      position: isCut ? end : start,
      message: isCut
        ? "the document ends in the middle of “\(word)”: it is truncated"
        : "found \(Self.quoted(text)), but expected “\(word)”", isTruncated: isCut)
  }

  private mutating func number() throws(Finding) {
    let start = i
    while i < end, Self.isWord(bytes[i]) || bytes[i] == UInt8(ascii: "+") { i += 1 }
    if NumberText.kind(UnsafeRawBufferPointer(rebasing: bytes[start..<i])) != nil { return }
    let text = String(decoding: bytes[start..<i], as: UTF8.self)
    if i == end, NumberText.kind(text + "0") != nil {
      throw Finding(
        position: end, message: "the document ends in the middle of the number \(text)",
        isTruncated: true)
    }
    throw Finding(
      position: start, message: "found \(Self.quoted(text)), which is not a JSON number")
  }

  private mutating func string() throws(Finding) {
    let start = i
    i += 1
    while i < end {
      let byte = bytes[i]
      switch byte {
      case UInt8(ascii: "\""):
        i += 1
        return
      case UInt8(ascii: "\\"): try escape(start)
      case 0..<0x20:
        throw Finding(
          position: i,
          message: "found \(found()) in a string, where it must be written as an escape",
          hint: byte == 10 ? "the closing quote of the string may be missing" : nil)
      case 0x20..<0x80: i += 1
      default:
        guard let length = Self.sequenceLength(bytes, i, end) else {
          throw Finding(
            position: i,
            message:
              "found the byte 0x\(String(byte, radix: 16, uppercase: true)), which is not UTF-8",
            hint: "the data may be in another encoding, such as ISO 8859-1")
        }
        i += length
      }
    }
    throw unclosed(start)
  }

  private mutating func escape(_ start: Int) throws(Finding) {
    guard i + 1 < end else {
      i = end
      throw unclosed(start)
    }
    switch bytes[i + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      i += 2
    case UInt8(ascii: "u"):
      for k in i + 2..<i + 6 {
        guard k < end else {
          i = end
          throw unclosed(start)
        }
        guard Self.isHex(bytes[k]) else {
          throw Finding(
            position: i, message: "“\\u” in a string needs four hexadecimal digits behind it")
        }
      }
      i += 6
    default:
      let length = Self.sequenceLength(bytes, i + 1, end) ?? 1
      let text = String(decoding: bytes[i..<i + 1 + length], as: UTF8.self)
      throw Finding(
        position: i, message: "found \(Self.quoted(text)) in a string, which is not an escape",
        hint: "a literal backslash is \\\\")
    }
  }

  private mutating func space() {
    while i < end, Self.isSpace(bytes[i]) { i += 1 }
  }

  // MARK: Words

  private func truncated(_ place: String, _ stack: [UInt8]) -> Finding {
    Finding(
      position: end, message: "the document ends \(place): it is truncated", isTruncated: true)
  }

  private func unclosed(_ start: Int) -> Finding {
    Finding(
      position: end,
      message: "the document ends in a string: it is truncated, or a closing quote is missing",
      isTruncated: true)
  }

  private func trailing() -> Finding {
    let isRecord = bytes[i] == UInt8(ascii: "{") || bytes[i] == UInt8(ascii: "[")
    return Finding(
      position: i, message: "found \(found()) behind the end of the document",
      hint: isRecord ? "several documents in one text are NDJSON" : nil)
  }

  /// What stands here: a character, or the word that begins here.
  private func found() -> String {
    let byte = bytes[i]
    if byte < 0x20 || byte == 0x7F {
      return switch byte {
      case 10: "a line end"
      case 9: "a tab"
      default: "the control character 0x\(String(byte, radix: 16, uppercase: true))"
      }
    }
    if Self.isWord(byte) {
      let word = bytes[i..<end].prefix(21) { Self.isWord($0) }
      return Self.quoted(String(decoding: word, as: UTF8.self))
    }
    guard let length = Self.sequenceLength(bytes, i, end) else {
      return "the byte 0x\(String(byte, radix: 16, uppercase: true))"
    }
    return Self.quoted(String(decoding: bytes[i..<i + length], as: UTF8.self))
  }

  private static func quoted(_ text: String) -> String { "“\(short(text))”" }

  private static func short(_ text: String) -> String {
    let line = text.prefix { !$0.isNewline }
    return line.count > 40 ? line.prefix(40) + "…" : String(line)
  }

  private static func shown(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }
  private static func name(_ opening: UInt8) -> String {
    opening == UInt8(ascii: "{") ? "an object" : "an array"
  }
  private static func closing(_ opening: UInt8) -> UInt8 { opening + 2 }
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 32 || byte == 10 || byte == 13 || byte == 9
  }
  private static func isWord(_ byte: UInt8) -> Bool {
    byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }
  private static func isHex(_ byte: UInt8) -> Bool { byte &- 48 < 10 || (byte | 0x20) &- 97 < 6 }

  /// The length of the UTF-8 sequence at `start`, or nil when it is none.
  private static func sequenceLength(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
  ) -> Int? {
    let length: Int
    switch bytes[start] {
    case 0..<0x80: return 1
    case 0xC2..<0xE0: length = 2
    case 0xE0..<0xF0: length = 3
    case 0xF0..<0xF5: length = 4
    default: return nil
    }
    guard start + length <= end else { return nil }
    for k in start + 1..<start + length where bytes[k] & 0xC0 != 0x80 { return nil }
    switch (bytes[start], bytes[start + 1]) {
    case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return nil
    default: return length
    }
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func prefix(
    _ maximum: Int, while holds: (UInt8) -> Bool
  ) -> Slice<UnsafeRawBufferPointer> {
    prefix(maximum).prefix(while: holds)
  }
}
