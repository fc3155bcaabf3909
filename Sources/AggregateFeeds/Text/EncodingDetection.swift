internal import AggregateCore
internal import CXML

/// Finds out the character encoding of a document, and turns it into UTF-8.
///
/// In order: a byte order mark; the pattern of UTF-16 and UTF-32; the `charset` of the content type;
/// the XML declaration; UTF-8. A declared encoding that does not fit the bytes is passed over when
/// another does; when none does, the one with the fewest misfits is read, U+FFFD for each of them, unless
/// that is most of the text: then UTF-8, with what is none of it as windows-1252.
enum EncodingDetection {
  /// The document in UTF-8, without a byte order mark.
  static func utf8(
    _ bytes: ByteBuffer, contentType: String?, isLenient: Bool = false
  ) -> [UInt8] {
    utf8(bytes: bytes.copy(0..<bytes.count), contentType: contentType, isLenient: isLenient)
  }

  /// The document in UTF-8, without a byte order mark.
  ///
  /// - Parameter isLenient: Whether bytes above 127 that are all valid UTF-8 are read so whatever is
  ///   declared: text in a single-byte encoding that reads as UTF-8 is nothing that anybody writes. For
  ///   an encoding of two bytes to a character, it takes two sequences of three bytes, or five in all.
  static func utf8(
    bytes all: [UInt8], contentType: String?, isLenient: Bool = false
  ) -> [UInt8] {
    for (mark, name) in marks where all.starts(with: mark) {
      let rest = Array(all.dropFirst(mark.count))
      return name == "UTF-8" ? repairedUTF8(rest) : convert(rest, from: name)?.text ?? rest
    }
    if let name = wideEncoding(all) { return convert(all, from: name)?.text ?? all }
    let inside = declared(in: all)
    let sequences = utf8Sequences(all)
    // A server's default charset is often wrong; a document that says UTF-8 and is UTF-8 is not.
    if sequences != nil, inside.map(isUTF8Name) ?? false { return all }
    var misfits: (text: [UInt8], count: Int)?
    for name in [contentType.flatMap(charset), inside].compactMap({ $0 }) {
      if isUTF8Name(name) {
        // UTF-8 has no escapes; the encodings of seven bits that have them are ASCII to look at.
        let isEscaped = inside?.lowercased().hasPrefix("iso-2022") == true && all.contains(0x1B)
        if sequences != nil, !isEscaped { return all }
        continue
      }
      if isLenient, let sequences, sequences.all > 0 {
        // What could be read to find a name was not in units of two or four bytes.
        if isWideName(name) || !isDoubleByte(name) || sequences.long >= 2 || sequences.all >= 5 {
          return all
        }
      }
      if isLatinName(name) { return latin(all) }
      guard let found = convert(all, from: name) else { continue }
      if found.misfits == 0 { return found.text }
      if !isWideName(name), misfits.map({ found.misfits < $0.count }) ?? true {
        misfits = (found.text, found.misfits)
      }
    }
    if sequences != nil { return all }
    let high = all.reduce(0) { $1 < 0x80 ? $0 : $0 + 1 }
    if let misfits, misfits.count * 2 <= high { return misfits.text }
    return repairedUTF8(all)
  }

  private static let marks: [([UInt8], String)] = [
    ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE, 0, 0], "UTF-32LE"),
    ([0, 0, 0xFE, 0xFF], "UTF-32BE"), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
  ]

  /// The encoding told by where the zero bytes beside the first `<`, `{` or space are.
  private static func wideEncoding(_ bytes: [UInt8]) -> String? {
    guard bytes.count >= 4 else { return nil }
    switch (bytes[0] != 0, bytes[1] != 0, bytes[2] != 0, bytes[3] != 0) {
    case (false, false, false, true): return "UTF-32BE"
    case (true, false, false, false): return "UTF-32LE"
    case (false, true, false, true): return "UTF-16BE"
    case (true, false, true, false): return "UTF-16LE"
    default: return nil
    }
  }

  /// The `charset` parameter of a content type.
  static func charset(_ contentType: String) -> String? {
    for parameter in contentType.split(separator: ";").dropFirst() {
      let parts = parameter.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, trimmed(parts[0]).lowercased() == "charset" else { continue }
      let name = trimmed(parts[1])
      return name.isEmpty ? nil : name
    }
    return nil
  }

  /// The encoding named by the XML declaration, which has only ASCII characters.
  static func declared(in bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1024).map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml"),
      let end = head[start.upperBound...].firstRange(of: "?>")
    else { return nil }
    let declaration = head[start.upperBound..<end.lowerBound]
    guard let key = declaration.firstRange(of: "encoding") else { return nil }
    let rest = declaration[key.upperBound...].drop { $0 == " " || $0 == "\t" }
    guard rest.first == "=" else { return nil }
    let name = trimmed(rest.dropFirst().prefix { $0 != "?" })
    return name.isEmpty ? nil : name
  }

  private static func trimmed(_ text: some StringProtocol) -> String {
    let strange: Set<Character> = [" ", "\t", "\r", "\n", "\r\n", "\"", "'"]
    let start = text.drop { strange.contains($0) }
    return String(start.prefix { !strange.contains($0) })
  }

  private static func isUTF8Name(_ name: String) -> Bool {
    [
      "utf-8", "utf8", "us-ascii", "ascii", "utf8mb4", "unicode-1-1-utf-8", "x-unicode20utf8",
    ].contains(name.lowercased())
  }

  private static func isWideName(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["utf-16", "utf16", "utf-32", "utf32", "ucs-2", "ucs-4", "iso-10646"].contains {
      name.hasPrefix($0)
    }
  }

  /// Whether characters are one or two bytes long, or have other lengths but not one only.
  private static func isDoubleByte(_ name: String) -> Bool {
    let name = iconvName(name).uppercased()
    return ["GB", "CP949", "CP932", "BIG5", "EUC", "ISO-2022", "HZ", "JOHAB", "SHIFT", "SJIS"]
      .contains { name.hasPrefix($0) }
  }

  private static func isLatinName(_ name: String) -> Bool {
    [
      "iso-8859-1", "iso8859-1", "iso_8859-1", "iso88591", "latin1", "latin-1", "l1", "cp819",
      "windows-1252", "cp1252", "x-cp1252", "x-user-defined",
    ].contains(name.lowercased())
  }

  /// The larger encoding that documents mean when they name one of its subsets.
  private static func iconvName(_ name: String) -> String {
    switch name.lowercased() {
    case "gb2312", "gbk", "x-gbk", "gb_2312-80", "chinese", "euc-cn", "cp936", "ms936": "GB18030"
    case "euc-kr", "ks_c_5601-1987", "ks_c_5601", "ksc5601", "ksc_5601", "korean", "windows-949":
      "CP949"
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "windows-31j", "ms932": "CP932"
    case "x-euc-jp", "euc_jp", "eucjp": "EUC-JP"
    case "big5", "x-x-big5", "cn-big5", "big5-tw": "BIG5-HKSCS"
    case "tis-620", "iso-8859-11", "windows-874", "dos-874": "CP874"
    case "iso-8859-9", "latin5": "CP1254"
    case "iso-8859-8-i", "iso-8859-8-e", "logical", "visual": "ISO-8859-8"
    case "x-mac-roman", "mac-roman", "macroman", "x-macintosh", "mac": "MACINTOSH"
    case "x-mac-cyrillic", "mac-cyrillic", "x-mac-ukrainian": "MAC-CYRILLIC"
    default: name.hasPrefix("x-cp") ? String(name.dropFirst(2)) : name
    }
  }

  private static func latin(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { Windows1252.append(byte, to: &out) }
    return out
  }

  static func isValidUTF8(_ bytes: [UInt8]) -> Bool { utf8Sequences(bytes) != nil }

  /// How many characters of valid UTF-8 are longer than one byte, and than two; nil when it is none.
  private static func utf8Sequences(_ bytes: [UInt8]) -> (all: Int, long: Int)? {
    var counts = (all: 0, long: 0)
    var i = 0
    while i < bytes.count {
      if bytes[i] < 0x80 { i += 1; continue }
      let length = sequenceLength(bytes, i)
      if length == 0 { return nil }
      counts.all += 1
      if length > 2 { counts.long += 1 }
      i += length
    }
    return counts
  }

  /// UTF-8 in which each byte that is not part of a valid sequence is read as windows-1252.
  static func repairedUTF8(_ bytes: [UInt8]) -> [UInt8] {
    if isValidUTF8(bytes) { return bytes }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + 16)
    var i = 0
    while i < bytes.count {
      let length = bytes[i] < 0x80 ? 1 : sequenceLength(bytes, i)
      if length == 0 {
        Windows1252.append(bytes[i], to: &out)
        i += 1
      } else {
        out.append(contentsOf: bytes[i..<i + length])
        i += length
      }
    }
    return out
  }

  /// The length of the valid sequence that begins at `i` with a byte above 127; 0 for none.
  static func sequenceLength(_ bytes: [UInt8], _ i: Int) -> Int {
    let first = bytes[i]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    guard i + length <= bytes.count, second.contains(bytes[i + 1]) else { return 0 }
    for j in 2..<max(length, 2) where !(0x80...0xBF).contains(bytes[i + j]) { return 0 }
    return length
  }

  /// `bytes` converted to UTF-8, and how often U+FFFD stands for what does not fit; nil when the encoding
  /// is unknown.
  private static func convert(_ bytes: [UInt8], from declared: String) -> (
    text: [UInt8], misfits: Int
  )? {
    let name = iconvName(declared)
    let isPlain = name.utf8.allSatisfy {
      $0 != UInt8(ascii: "/") && $0 > 0x20 && $0 < 0x7F
    }
    guard isPlain, !name.lowercased().hasPrefix("utf-7"), let converter = cxml_open_converter(name)
    else { return nil }
    defer { cxml_close_converter(converter) }
    let isDouble = isDoubleByte(declared)
    return bytes.withUnsafeBytes { source -> (text: [UInt8], misfits: Int) in
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count * 2)
      var misfits = 0
      var input = source.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = source.count
      while left > 0 {
        var status: Int32 = 0
        let chunk = [CChar](unsafeUninitializedCapacity: 16_384) { buffer, count in
          var output = buffer.baseAddress
          var room = buffer.count
          status = cxml_convert(converter, &input, &left, &output, &room)
          count = buffer.count - room
        }
        for byte in chunk { result.append(UInt8(bitPattern: byte)) }
        if status < 2 { continue }
        result.append(contentsOf: "\u{FFFD}".utf8)
        misfits += 1
        let width =
          name.hasPrefix("UTF-32")
          ? 4
          : name.hasPrefix("UTF-16")
            ? 2 : isDouble ? misfitLength(source[(source.count - left)...], name) : 1
        input = input?.advanced(by: min(left, width))
        left -= min(left, width)
      }
      return (result, misfits)
    }
  }

  /// How many bytes one U+FFFD stands for, as in browsers: both of a pair that is no character, but never
  /// an ASCII one.
  private static func misfitLength(_ rest: Slice<UnsafeRawBufferPointer>, _ name: String) -> Int {
    guard let first = rest.first, rest.count > 1, rest[rest.startIndex + 1] >= 0x80 else {
      return 1
    }
    let isLead =
      name == "CP932"
      ? (0x81...0x9F).contains(first) || (0xE0...0xFC).contains(first)
      : (0x81...0xFE).contains(first)
    return isLead ? 2 : 1
  }
}
