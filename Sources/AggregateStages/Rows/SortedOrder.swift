internal import AggregateCore

/// Collects keys and gives the stable order of them.
///
/// The first eight bytes are sorted digit by digit (a radix sort moves each element a few times and
/// compares nothing); only where they are equal are the rest of the keys compared.
struct SortedOrder {
  private struct Element {
    var prefix: UInt64
    var row: UInt32
  }

  private var elements: [Element] = []
  private var keys: [EncodedKeys] = []
  /// For each row, the number of its batch of keys and its row in it.
  private var places: [UInt64] = []
  /// How many bytes the keys take.
  private(set) var byteCount = 0

  /// Creates an empty collection.
  init() {}

  /// The number of keys.
  var count: Int { elements.count }

  /// Adds the keys of further rows.
  mutating func append(_ more: EncodedKeys) {
    let block = UInt64(keys.count) << 32
    elements.reserveCapacity(elements.count + more.count)
    more.bytes.withUnsafeBytes { bytes in
      for row in 0..<more.count {
        let key = UnsafeRawBufferPointer(rebasing: bytes[more.starts[row]..<more.starts[row + 1]])
        elements.append(Element(prefix: KeyOrder.prefix(key), row: UInt32(elements.count)))
        places.append(block | UInt64(row))
      }
    }
    keys.append(more)
    byteCount += more.bytes.count + 32 * more.count
  }

  /// The numbers of the rows, counted in the order they were added, in the order of their keys.
  mutating func sorted() -> [Int] {
    radixSort()
    var start = 0
    while start < elements.count {
      var end = start + 1
      while end < elements.count, elements[end].prefix == elements[start].prefix { end += 1 }
      if end - start > 1 { sortTies(start..<end) }
      start = end
    }
    return elements.map { Int($0.row) }
  }

  /// Calls `body` with the key of row `row`.
  func withKey<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let place = places[row]
    return keys[Int(place >> 32)].withKey(Int(place & 0xFFFF_FFFF), body)
  }

  private mutating func sortTies(_ range: Range<Int>) {
    let isOneKey = range.dropFirst().allSatisfy { i in
      withKey(Int(elements[i - 1].row)) { a in
        withKey(Int(elements[i].row)) { b in KeyOrder.compare(a, b) == 0 }
      }
    }
    if isOneKey { return }
    let order = elements[range].sorted { x, y in
      let order = withKey(Int(x.row)) { a in
        withKey(Int(y.row)) { b in KeyOrder.compare(a, b) }
      }
      return order == 0 ? x.row < y.row : order < 0
    }
    elements.replaceSubrange(range, with: order)
  }

  private mutating func radixSort() {
    var differing: UInt64 = 0
    if let first = elements.first {
      for element in elements { differing |= element.prefix ^ first.prefix }
    }
    var from = elements
    var to = elements
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      if (differing >> shift) & 255 == 0 { continue }
      var counts = Array(repeating: 0, count: 257)
      for element in from { counts[Int((element.prefix >> shift) & 255) + 1] += 1 }
      for digit in 0..<256 { counts[digit + 1] += counts[digit] }
      for element in from {
        let digit = Int((element.prefix >> shift) & 255)
        to[counts[digit]] = element
        counts[digit] += 1
      }
      swap(&from, &to)
    }
    elements = from
  }
}
