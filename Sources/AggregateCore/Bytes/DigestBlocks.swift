/// What MD5 and SHA-256 share: a message as whole blocks of 16 words, and words as bytes.
enum DigestBlocks {
  /// How many bytes a block has.
  static let size = 64

  /// `message`, a bit 1, zeros, and the length in bits, in whole blocks.
  static func padded(_ message: UnsafeRawBufferPointer, lengthFirstByteLow: Bool) -> [UInt8] {
    let count = (message.count + 9 + size - 1) / size * size
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { $0.copyMemory(from: message) }
    bytes[message.count] = 0x80
    let bits = UInt64(message.count) * 8
    for i in 0..<8 {
      let shift = UInt64(lengthFirstByteLow ? i : 7 - i) * 8
      bytes[count - 8 + i] = UInt8(truncatingIfNeeded: bits >> shift)
    }
    return bytes
  }

  static func rotatedLeft(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value << count | value >> (32 - count)
  }

  static func rotatedRight(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }
}
