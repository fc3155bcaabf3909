/// Base64, by RFC 4648.
public enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// `bytes` in Base64, with padding.
  public static func encode(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity((bytes.count + 2) / 3 * 4)
    var i = 0
    while i < bytes.count {
      let left = bytes.count - i
      let a = UInt32(bytes[i]) << 16
      let b = left > 1 ? UInt32(bytes[i + 1]) << 8 : 0
      let c = left > 2 ? UInt32(bytes[i + 2]) : 0
      let group = a | b | c
      out.append(alphabet[Int(group >> 18 & 63)])
      out.append(alphabet[Int(group >> 12 & 63)])
      out.append(left > 1 ? alphabet[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      out.append(left > 2 ? alphabet[Int(group & 63)] : UInt8(ascii: "="))
      i += 3
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes that `text` stands for; white space is skipped. Nil when it is not Base64.
  public static func decode(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    var group: UInt32 = 0
    var bits = 0
    var ended = false
    for byte in text.utf8 {
      if byte == UInt8(ascii: "=") { ended = true; continue }
      if byte == 10 || byte == 13 || byte == 32 || byte == 9 { continue }
      guard !ended, let value = value(of: byte) else { return nil }
      group = group << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        out.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return bits < 6 ? out : nil
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
