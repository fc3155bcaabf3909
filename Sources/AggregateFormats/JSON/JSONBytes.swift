internal import AggregateCore

/// Small readings of JSON text that is known to be valid.
enum JSONBytes {
  /// Appends `text` without the white space between its tokens.
  static func minify(_ text: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var isString = false
    var isEscaped = false
    for byte in text {
      if isString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else if byte == 32 || byte == 9 || byte == 10 || byte == 13 {
        continue
      } else if byte == UInt8(ascii: "\"") {
        isString = true
      }
      out.append(byte)
    }
  }

  /// The key of a member of an object, without escapes.
  static func key(of member: UnsafeRawBufferPointer) -> String {
    let end = endOfString(member, from: 0) ?? member.count
    guard end >= 2 else { return "" }
    let quoted = UnsafeRawBufferPointer(rebasing: member[1..<end - 1])
    if !quoted.contains(UInt8(ascii: "\\")) { return String(decoding: quoted, as: UTF8.self) }
    var key = ByteBuilder(capacity: quoted.count)
    EscapedText.decode(quoted, into: &key)
    return key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The elements of an array or the members of an object, without the white space around them.
  static func items(_ text: UnsafeRawBufferPointer) -> [Range<Int>] {
    var items: [Range<Int>] = []
    guard var start = text.firstIndex(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") })
    else { return [] }
    start += 1
    var depth = 0
    var isString = false
    var i = start
    while i < text.count {
      let byte = text[i]
      if isString {
        if byte == UInt8(ascii: "\\") {
          i += 1
        } else if byte == UInt8(ascii: "\"") {
          isString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          if depth == 0 {
            let item = trimmed(text, start..<i)
            if !item.isEmpty { items.append(item) }
            return items
          }
          depth -= 1
        case UInt8(ascii: ",") where depth == 0:
          items.append(trimmed(text, start..<i))
          start = i + 1
        default: break
        }
      }
      i += 1
    }
    return items
  }

  /// The index behind the closing quote of the string that begins at `start`.
  static func endOfString(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var i = start + 1
    while i < text.count {
      if text[i] == UInt8(ascii: "\\") {
        i += 1
      } else if text[i] == UInt8(ascii: "\"") {
        return i + 1
      }
      i += 1
    }
    return nil
  }

  private static func trimmed(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Range<Int> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, isSpace(text[lower]) { lower += 1 }
    while upper > lower, isSpace(text[upper - 1]) { upper -= 1 }
    return lower..<upper
  }
}
