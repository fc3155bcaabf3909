/// Bytes as hexadecimal digits.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Two small digits for each of `bytes`.
  public static func text(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      out.append(digits[Int(byte >> 4)])
      out.append(digits[Int(byte & 15)])
    }
    return String(decoding: out, as: UTF8.self)
  }
}
