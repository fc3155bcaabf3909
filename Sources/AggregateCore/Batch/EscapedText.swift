/// The inside of JSON strings: backslash escapes to UTF-8 and back.
public enum EscapedText {
  /// Appends what the escaped text `source` means, as UTF-8. A lone surrogate becomes U+FFFD.
  ///
  /// `source` must be the inside of a valid JSON string; a malformed escape is copied as it stands.
  public static func decode(_ source: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var i = 0
    let count = source.count
    while i < count {
      let byte = source[i]
      guard byte == UInt8(ascii: "\\"), i + 1 < count else {
        out.append(byte)
        i += 1
        continue
      }
      i += 2
      switch source[i - 1] {
      case UInt8(ascii: "n"): out.append(10)
      case UInt8(ascii: "t"): out.append(9)
      case UInt8(ascii: "r"): out.append(13)
      case UInt8(ascii: "b"): out.append(8)
      case UInt8(ascii: "f"): out.append(12)
      case UInt8(ascii: "u"):
        guard let unit = hexUnit(source, at: i) else {
          out.append(literal: "\\u")
          continue
        }
        i += 4
        appendScalar(unit, source, &i, &out)
      case let other:
        if !#""\/"#.utf8.contains(other) { out.append(UInt8(ascii: "\\")) }
        out.append(other)
      }
    }
  }

  /// What the escaped text in `range` of `buffer` means.
  public static func decoded(_ buffer: ByteBuffer, _ range: Range<Int>) -> String {
    var out = ByteBuilder(capacity: range.count)
    buffer.withUnsafeBytes { decode(UnsafeRawBufferPointer(rebasing: $0[range]), into: &out) }
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends `text` as the inside of a JSON string, escaping only what must be.
  public static func encode(_ text: UnsafeRawBufferPointer, into out: inout ByteBuilder) {
    var start = 0
    for i in 0..<text.count {
      let byte = text[i]
      if byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") { continue }
      out.append(UnsafeRawBufferPointer(rebasing: text[start..<i]))
      start = i + 1
      switch byte {
      case 10: out.append(literal: "\\n")
      case 13: out.append(literal: "\\r")
      case 9: out.append(literal: "\\t")
      case 8: out.append(literal: "\\b")
      case 12: out.append(literal: "\\f")
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        out.append(UInt8(ascii: "\\"))
        out.append(byte)
      default:
        out.append(literal: "\\u00")
        out.append(hexDigits[Int(byte >> 4)])
        out.append(hexDigits[Int(byte & 15)])
      }
    }
    out.append(UnsafeRawBufferPointer(rebasing: text[start...]))
  }

  /// `text` as a JSON string, with its quotes.
  public static func quoted(_ text: String) -> String {
    var out = ByteBuilder(capacity: text.utf8.count + 2)
    out.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { encode(UnsafeRawBufferPointer($0), into: &out) }
    out.append(UInt8(ascii: "\""))
    return out.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func hexUnit(_ source: UnsafeRawBufferPointer, at start: Int) -> UInt32? {
    guard start + 4 <= source.count else { return nil }
    var value: UInt32 = 0
    for i in start..<start + 4 {
      guard let digit = Character(Unicode.Scalar(source[i])).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func appendScalar(
    _ unit: UInt32, _ source: UnsafeRawBufferPointer, _ i: inout Int, _ out: inout ByteBuilder
  ) {
    var value = unit
    if (0xD800..<0xDC00).contains(unit), i + 6 <= source.count, source[i] == UInt8(ascii: "\\"),
      source[i + 1] == UInt8(ascii: "u"), let low = hexUnit(source, at: i + 2),
      (0xDC00..<0xE000).contains(low)
    {
      value = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
      i += 6
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    for byte in String(Character(scalar)).utf8 { out.append(byte) }
  }
}
