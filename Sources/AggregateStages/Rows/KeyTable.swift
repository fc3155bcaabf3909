internal import AggregateCore

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Numbers distinct keys in the order in which they first appear.
///
/// Open addressing over keys in one arena: nothing is allocated per row or per key.
final class KeyTable {
  private var storage = KeyStorage()

  /// Creates an empty table.
  init() {}

  /// The number of distinct keys so far.
  var count: Int { storage.count }

  /// How many bytes it holds.
  var byteCount: Int { storage.byteCount }

  /// The number of each row's key; `newRows` are the rows whose key had not appeared before.
  func assign(_ keys: EncodedKeys) -> (groups: [Int32], newRows: [Int32]) { storage.assign(keys) }

  /// The number of each row's key, or -1 for a key that never appeared.
  func find(_ keys: EncodedKeys) -> [Int32] { storage.find(keys) }
}

/// What a ``KeyTable`` holds; a value, so that its loops check for exclusive access once and not per row.
private struct KeyStorage: ~Copyable {
  /// The number of distinct keys so far.
  private(set) var count = 0
  private var arena = ByteBuilder(capacity: 1 << 16)
  private var starts: [Int] = [0]
  private var slots: [UInt64]
  private var mask: Int
  private let seed = UInt64.random(in: .min ... .max) | 1

  /// Creates an empty table.
  init() {
    slots = Array(repeating: 0, count: 1024)
    mask = 1023
  }

  /// How many bytes it holds.
  var byteCount: Int { arena.capacity + 8 * (starts.capacity + slots.count) }

  /// The number of each row's key; `newRows` are the rows whose key had not appeared before.
  mutating func assign(_ keys: EncodedKeys) -> (groups: [Int32], newRows: [Int32]) {
    var groups: [Int32] = []
    groups.reserveCapacity(keys.count)
    var newRows: [Int32] = []
    keys.bytes.withUnsafeBytes { bytes in
      for row in 0..<keys.count {
        let key = UnsafeRawBufferPointer(rebasing: bytes[keys.starts[row]..<keys.starts[row + 1]])
        let hash = hashed(key)
        let (slot, found) = probe(key, hash)
        if let found {
          groups.append(found)
        } else {
          groups.append(Int32(count))
          newRows.append(Int32(row))
          insert(key, hash, slot)
        }
      }
    }
    return (groups, newRows)
  }

  /// The number of each row's key, or -1 for a key that never appeared.
  func find(_ keys: EncodedKeys) -> [Int32] {
    keys.bytes.withUnsafeBytes { bytes in
      (0..<keys.count).map { row in
        let key = UnsafeRawBufferPointer(rebasing: bytes[keys.starts[row]..<keys.starts[row + 1]])
        return probe(key, hashed(key)).found ?? -1
      }
    }
  }

  /// A slot is the upper half of the hash and the key's number plus one; zero is free.
  @inline(__always)
  private func probe(_ key: UnsafeRawBufferPointer, _ hash: UInt64) -> (slot: Int, found: Int32?) {
    var slot = Int(truncatingIfNeeded: hash) & mask
    let upper = hash >> 32
    while true {
      let entry = slots[slot]
      if entry == 0 { return (slot, nil) }
      if entry >> 32 == upper {
        let id = Int(entry & 0xFFFF_FFFF) - 1
        if isKey(id, key) { return (slot, Int32(id)) }
      }
      slot = (slot + 1) & mask
    }
  }

  @inline(__always)
  private func isKey(_ id: Int, _ key: UnsafeRawBufferPointer) -> Bool {
    let range = starts[id]..<starts[id + 1]
    guard range.count == key.count else { return false }
    return arena.withUnsafeBytes { bytes in
      guard let a = bytes.baseAddress, let b = key.baseAddress else { return key.isEmpty }
      return memcmp(a + range.lowerBound, b, range.count) == 0
    }
  }

  @inline(never)
  private mutating func insert(_ key: UnsafeRawBufferPointer, _ hash: UInt64, _ slot: Int) {
    arena.append(key)
    starts.append(arena.count)
    count += 1
    slots[slot] = (hash >> 32) << 32 | UInt64(count)
    if count * 2 > slots.count { grow() }
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 4)
    mask = slots.count - 1
    for id in 0..<count {
      let hash = arena.withUnsafeBytes {
        hashed(UnsafeRawBufferPointer(rebasing: $0[starts[id]..<starts[id + 1]]))
      }
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = (hash >> 32) << 32 | UInt64(id + 1)
    }
  }

  @inline(__always)
  private func hashed(_ key: UnsafeRawBufferPointer) -> UInt64 {
    var hash = WordHash(seed: seed)
    hash.combine(key)
    return hash.value
  }
}
