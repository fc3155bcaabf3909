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

  static func isNameByte(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
  }
}
