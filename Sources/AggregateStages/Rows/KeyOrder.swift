#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The order of keys as ``KeyEncoder`` writes them.
enum KeyOrder {
  /// Whether `a` comes before `b`.
  @inline(__always)
  static func precedes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    compare(a, b) < 0
  }

  /// Negative, zero or positive, as `a` comes before, with or behind `b`.
  @inline(__always)
  static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    if let x = a.baseAddress, let y = b.baseAddress {
      let order = memcmp(x, y, min(a.count, b.count))
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }

  /// The first eight bytes of a key as a number of the same order; a shorter key counts as filled with zeros.
  @inline(__always)
  static func prefix(_ key: UnsafeRawBufferPointer) -> UInt64 {
    if key.count >= 8 { return UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)) }
    var value: UInt64 = 0
    for i in 0..<8 { value = value << 8 | (i < key.count ? UInt64(key[i]) : 0) }
    return value
  }
}
