#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// The index of the first `byte` at or after `start`.
  @inline(__always)
  func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// The index of the last `byte` in `range`.
  func lastIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 1
      if self[index] == byte { return index }
    }
    return nil
  }

  /// How many times `byte` stands in `range`.
  func occurrences(of byte: UInt8, in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    guard let base = baseAddress else { return 0 }
    let pattern = Word.repeating(byte)
    var total = 0
    var index = range.lowerBound
    while range.upperBound - index >= 8 {
      // Each byte of `sums` counts for itself, which it can do 255 times.
      let words = Swift.min(255, (range.upperBound - index) / 8)
      var sums: UInt64 = 0
      for _ in 0..<words {
        sums &+= Word.marks(Word.nonzero(Word.load(base, index) ^ pattern)) &>> 7
        index &+= 8
      }
      let even = sums & 0x00FF_00FF_00FF_00FF
      let odd = (sums &>> 8) & 0x00FF_00FF_00FF_00FF
      total += Int(truncatingIfNeeded: ((even &+ odd) &* 0x0001_0001_0001_0001) &>> 48)
    }
    while index < range.upperBound {
      total += self[index] == byte ? 1 : 0
      index += 1
    }
    return total
  }

  /// Whether the bytes are those of `other`.
  func equals(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}
