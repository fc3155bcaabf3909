#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether its part in `range` has the bytes of `other`; several times as fast as `elementsEqual`.
  func has(_ other: UnsafeRawBufferPointer, in range: Range<Int>) -> Bool {
    guard range.count == other.count else { return false }
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    guard let mine = part.baseAddress, let others = other.baseAddress else { return true }
    return memcmp(mine, others, part.count) == 0
  }
}
