/// The hash SHA-256, by FIPS 180-4: fingerprints of credentials and cache keys, signatures.
public enum SHA256 {
  /// The 32 bytes of the hash of `message`.
  ///
  /// - Complexity: O(bytes).
  public static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    var state = start
    var words = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for i in 0..<16 {
        let at = block + i * 4
        words[i] =
          UInt32(padded[at]) << 24 | UInt32(padded[at + 1]) << 16
          | UInt32(padded[at + 2]) << 8 | UInt32(padded[at + 3])
      }
      compress(&state, &words)
    }
    return state.flatMap { word in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// The hash of the UTF-8 bytes of `text`, in 64 hexadecimal digits.
  public static func hexadecimal(_ text: String) -> String {
    let digits = Array("0123456789abcdef".utf8)
    let bytes = digest(Array(text.utf8)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func compress(_ state: inout [UInt32], _ words: inout [UInt32]) {
    for i in 16..<64 {
      let a = words[i - 15]
      let b = words[i - 2]
      let low = rotated(a, 7) ^ rotated(a, 18) ^ a >> 3
      let high = rotated(b, 17) ^ rotated(b, 19) ^ b >> 10
      words[i] = words[i - 16] &+ low &+ words[i - 7] &+ high
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for i in 0..<64 {
      let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let choice = (e & f) ^ (~e & g)
      let first = h &+ sum &+ choice &+ constants[i] &+ words[i]
      let other = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e) = (g, f, e, d &+ first)
      (d, c, b, a) = (c, b, a, first &+ other &+ majority)
    }
    for (i, value) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= value }
  }

  private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  /// The first 32 bits of the fractions of the square roots of the first 8 primes.
  private static let start: [UInt32] = primes.prefix(8).map { fraction($0, root: 2) }
  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = primes.map { fraction($0, root: 3) }

  private static let primes: [UInt64] = {
    var found: [UInt64] = []
    var candidate: UInt64 = 2
    while found.count < 64 {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found
  }()

  /// The fraction of a root in 32 bits: the largest x with x^root ≤ prime · 2^(32·root).
  private static func fraction(_ prime: UInt64, root: Int) -> UInt32 {
    var low: UInt64 = 0
    var high: UInt64 = 1 << 38
    while high - low > 1 {
      let middle = (low + high) / 2
      if isAtMost(middle, root, prime) { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  /// Whether x^root ≤ prime · 2^(32·root), in exact arithmetic.
  private static func isAtMost(_ x: UInt64, _ root: Int, _ prime: UInt64) -> Bool {
    let square = UInt128(x) * UInt128(x)
    if root == 2 { return square <= UInt128(prime) << 64 }
    let (cube, overflow) = square.multipliedReportingOverflow(by: UInt128(x))
    return !overflow && cube <= UInt128(prime) << 96
  }
}
