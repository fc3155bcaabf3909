internal import Synchronization

/// How many records each chunk had, for the number of a record that turns out malformed.
///
/// Chunks are decoded on several threads; the count before one may come a moment later.
final class RecordLedger: Sendable {
  private let counts = Mutex<[Int: Int]>([:])

  /// Notes that the chunk of this index had `count` records.
  func note(_ count: Int, chunk index: Int) {
    counts.withLock { $0[index] = count }
  }

  /// How many records stood before the chunk of this index; nil while an earlier one is not decoded.
  func count(before index: Int) -> Int? {
    counts.withLock { counts in
      var total = 0
      for earlier in 0..<index {
        guard let count = counts[earlier] else { return nil }
        total += count
      }
      return total
    }
  }
}
