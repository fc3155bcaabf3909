internal import AggregateCore

/// Message authentication codes, by RFC 2104.
enum MessageAuthentication {
  private static let blockSize = 64

  /// HMAC with SHA-256, 32 bytes.
  static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var block = key.count > blockSize ? SHA256.digest(key) : key
    block.append(contentsOf: repeatElement(0, count: blockSize - block.count))
    let inner = SHA256.digest(block.map { $0 ^ 0x36 } + message)
    return SHA256.digest(block.map { $0 ^ 0x5C } + inner)
  }
}
