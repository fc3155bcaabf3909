/// Words and names in bytes.
extension XMLCleaner {
  /// Whether `word` (lower case, ASCII) stands at `i`; letters match in either case.
  static func matches(_ bytes: [UInt8], _ i: Int, _ word: StaticString) -> Bool {
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

  static func find(
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

  static func lastIndex(of word: StaticString, in bytes: [UInt8]) -> Int {
    var i = bytes.count
    while let next = bytes[..<i].lastIndex(of: word.utf8Start[0]) {
      if matches(bytes, next, word) { return next }
      i = next
    }
    return -1
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  /// Where the name ends that begins at `start`: before the first character that XML has not in names,
  /// which is at `start` itself when no name begins there.
  static func nameEnd(_ bytes: [UInt8], from start: Int) -> Int {
    var i = start
    while i < bytes.count {
      if bytes[i] < 0x80 {
        guard i == start ? isLetter(bytes[i]) : isNameByte(bytes[i]) else { return i }
        i += 1
        continue
      }
      let length = EncodingDetection.sequenceLength(bytes, i)
      guard length > 0,
        let scalar = String(decoding: bytes[i..<i + length], as: UTF8.self).unicodeScalars.first,
        isInNames(scalar.value, first: i == start)
      else { return i }
      i += length
    }
    return i
  }

  private static func isInNames(_ value: UInt32, first: Bool) -> Bool {
    switch value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !first
    default: false
    }
  }

  static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }
}
