internal import AggregateCore

/// Checks and repairs UTF-8.
enum UTF8Text {
  /// Whether `bytes` are UTF-8, without surrogates and overlong forms. ASCII is passed over eight bytes at a time.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    var i = 0
    while i < count {
      if i + 8 <= count, Word.load(base, i) & 0x8080_8080_8080_8080 == 0 {
        i += 8
        continue
      }
      let lead = bytes[i]
      if lead < 0x80 {
        i += 1
        continue
      }
      let length = sequenceLength(bytes, at: i)
      if length == 0 { return false }
      i += length
    }
    return true
  }

  /// `bytes` with everything that is not UTF-8 replaced by U+FFFD.
  static func repaired(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer {
    var out = ByteBuilder(capacity: bytes.count + 64)
    var text = String(decoding: bytes, as: UTF8.self)
    text.withUTF8 { out.append(UnsafeRawBufferPointer($0)) }
    return out.finish()
  }

  /// The length of the well-formed sequence that begins at `i` with a byte that is not ASCII; 0 when it is none.
  @inline(__always)
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at i: Int) -> Int {
    let lead = bytes[i]
    func continues(_ k: Int) -> Bool { i + k < bytes.count && bytes[i + k] & 0xC0 == 0x80 }
    switch lead {
    case 0xC2...0xDF:
      return continues(1) ? 2 : 0
    case 0xE0...0xEF:
      guard continues(1), continues(2) else { return 0 }
      let second = bytes[i + 1]
      if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return 0 }
      return 3
    case 0xF0...0xF4:
      guard continues(1), continues(2), continues(3) else { return 0 }
      let second = bytes[i + 1]
      if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return 0 }
      return 4
    default: return 0
    }
  }
}
