import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Memory for buffers: large pieces are kept for a while and handed out again.
///
/// Chunks come and go by the thousand; given back to the system each time, every one of their pages
/// would have to be faulted in and cleared anew. What is not kept goes back to the system at once, as
/// pages of its own: in the allocator's heaps it would stay with the process.
enum ByteStorage {
  /// Pieces from this size on are kept; the allocator is good with smaller ones.
  private static let smallest = 1 << 14
  /// Larger pieces are too rare to be kept.
  private static let largest = 1 << 23
  /// How many bytes are kept at most.
  private static let limit = 12 << 20
  private static let classCount = 4 * (largest.trailingZeroBitCount - smallest.trailingZeroBitCount)

  /// Free pieces by class; addresses, because pointers may not pass a lock.
  private struct Free {
    var pieces: [[UInt]] = Array(repeating: [], count: classCount)
    var byteCount = 0
  }

  private static let free = Mutex(Free())

  /// A piece of at least `byteCount` bytes and how many it really has.
  static func allocate(_ byteCount: Int) -> (start: UnsafeMutableRawPointer, byteCount: Int) {
    if byteCount <= smallest {
      return (.allocate(byteCount: byteCount, alignment: 64), byteCount)
    }
    guard let (index, size) = sizeClass(byteCount) else {
      // Whole pages of any system.
      let size = (byteCount + 0xFFFF) & ~0xFFFF
      return (mapped(size), size)
    }
    let kept = free.withLock { free -> (UInt, Int)? in
      // A piece a little too large is better than a new one.
      for index in index..<min(index + 3, classCount) {
        guard let piece = free.pieces[index].popLast() else { continue }
        let size = self.size(ofClass: index)
        free.byteCount -= size
        return (piece, size)
      }
      return nil
    }
    if let (address, size) = kept, let start = UnsafeMutableRawPointer(bitPattern: address) {
      return (start, size)
    }
    return (mapped(size), size)
  }

  /// Takes back a piece that ``allocate(_:)`` gave, with the size that it told.
  static func deallocate(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
    if byteCount <= smallest { return start.deallocate() }
    if let (index, size) = sizeClass(byteCount) {
      let address = UInt(bitPattern: start)
      let isKept = free.withLock { free in
        if free.byteCount + size > limit { return false }
        free.pieces[index].append(address)
        free.byteCount += size
        return true
      }
      if isKept { return }
    }
    munmap(start, byteCount)
  }

  private static func mapped(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let start, start != MAP_FAILED else {
      // The allocator ends the process in its own way when there is no memory.
      return .allocate(byteCount: byteCount, alignment: 64)
    }
    return start
  }

  /// The class of pieces that hold `byteCount` bytes and their size; nil for what is not kept.
  ///
  /// There are four classes to each doubling, so that at most a fifth of a piece is idle.
  private static func sizeClass(_ byteCount: Int) -> (index: Int, size: Int)? {
    guard byteCount > smallest, byteCount <= largest else { return nil }
    let exponent = Int.bitWidth - 1 - (byteCount - 1).leadingZeroBitCount
    let step = 1 << (exponent - 2)
    let steps = (byteCount - 1 - (1 << exponent)) / step
    return (
      4 * (exponent - smallest.trailingZeroBitCount) + steps, (1 << exponent) + (steps + 1) * step
    )
  }

  private static func size(ofClass index: Int) -> Int {
    let exponent = index / 4 + smallest.trailingZeroBitCount
    return (1 << exponent) + (index % 4 + 1) * (1 << (exponent - 2))
  }
}
