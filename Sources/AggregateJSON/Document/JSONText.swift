public import AggregateCore

/// JSON text as bytes.
public enum JSONText {
  /// Appends the JSON text in `range` of `buffer` without white space between its parts.
  ///
  /// The text must be valid; strings and numbers are copied as they stand.
  public static func minify(_ buffer: ByteBuffer, _ range: Range<Int>, into out: inout ByteBuilder)
  {
    buffer.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      var start = 0
      var i = 0
      while i < text.count {
        switch text[i] {
        case UInt8(ascii: "\""):
          i += 1
          while i < text.count, text[i] != UInt8(ascii: "\"") {
            i += text[i] == UInt8(ascii: "\\") ? 2 : 1
          }
          i += 1
        case 32, 10, 13, 9:
          out.append(UnsafeRawBufferPointer(rebasing: text[start..<i]))
          i += 1
          start = i
        default: i += 1
        }
      }
      out.append(UnsafeRawBufferPointer(rebasing: text[min(start, text.count)...]))
    }
  }

  /// The JSON text in `range` of `buffer` without white space between its parts.
  public static func minified(_ buffer: ByteBuffer, _ range: Range<Int>) -> String {
    var out = ByteBuilder(capacity: range.count)
    minify(buffer, range, into: &out)
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension JSONNode {
  /// Its JSON text without white space between its parts.
  public var minified: String { JSONText.minified(document.buffer, outerRange) }
}
