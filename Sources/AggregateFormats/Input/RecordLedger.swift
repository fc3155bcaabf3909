internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How many records each chunk had, for the number of a record that turns out malformed.
///
/// Chunks are decoded on several threads; the count before one may come a moment later.
final class RecordLedger: Sendable {
  private struct Counts {
    /// How many records stand before the chunk of each index; the last entry is the next chunk's.
    var before = [0]
    /// Counts of chunks behind one that is not decoded yet.
    var later: [Int: Int] = [:]
  }

  private let counts = Mutex(Counts())

  /// Notes that the chunk of this index had `count` records, malformed ones included.
  func note(_ count: Int, chunk index: Int) {
    counts.withLock { counts in
      counts.later[index] = count
      while let count = counts.later.removeValue(forKey: counts.before.count - 1) {
        counts.before.append(counts.before[counts.before.count - 1] + count)
      }
    }
  }

  /// How many records stood before the chunk of this index; nil while an earlier one is not decoded.
  func count(before index: Int) -> Int? {
    counts.withLock { $0.before.indices.contains(index) ? $0.before[index] : nil }
  }

  /// The same as soon as it is known; nil after two seconds.
  func settledCount(before index: Int) -> Int? {
    let end = ContinuousClock.now + .seconds(2)
    while true {
      if let count = count(before: index) { return count }
      if ContinuousClock.now > end { return nil }
      usleep(100)
    }
  }
}
