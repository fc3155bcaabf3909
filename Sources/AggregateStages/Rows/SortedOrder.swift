internal import AggregateCore

/// Collects keys and gives the stable order of them.
///
/// Eight bytes at a time are sorted digit by digit (a radix sort moves each element a few times and compares
/// nothing), beginning behind what all keys have in common; where they are equal, the next bytes decide.
final class SortedOrder {
  private struct Element {
    var prefix: UInt64
    var row: UInt32
  }

  /// Runs of fewer equal prefixes are sorted by comparing.
  private static let smallRun = 48

  private var arena = ByteBuilder(capacity: 1 << 16)
  private var starts: [Int] = [0]

  /// Creates an empty collection.
  init() {}

  /// The number of keys.
  var count: Int { starts.count - 1 }

  /// How many bytes the keys take, with what sorting them takes.
  var byteCount: Int { arena.capacity + 8 * starts.capacity + 40 * count }

  /// Adds the keys of further rows.
  func append(_ more: EncodedKeys) {
    let base = arena.count
    more.bytes.withUnsafeBytes { arena.append($0) }
    // No capacity is reserved: reserved exactly, the array would be copied for every batch.
    for row in 0..<more.count { starts.append(base + more.starts[row + 1]) }
  }

  /// The numbers of the rows, counted in the order they were added, in the order of their keys.
  func sorted() -> [Int] {
    var elements = (0..<count).map { Element(prefix: 0, row: UInt32($0)) }
    arena.withUnsafeBytes { bytes in sort(&elements, 0..<elements.count, 0, bytes) }
    return elements.map { Int($0.row) }
  }

  /// Calls `body` with the key of row `row`.
  func withKey<R>(_ row: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    arena.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[starts[row]..<starts[row + 1]]))
    }
  }

  @inline(__always)
  private func key(_ row: UInt32, _ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[starts[Int(row)]..<starts[Int(row) + 1]])
  }

  /// Sorts `range`, whose keys have their first `depth` bytes in common.
  private func sort(
    _ elements: inout [Element], _ range: Range<Int>, _ depth: Int, _ bytes: UnsafeRawBufferPointer
  ) {
    if range.count < 2 { return }
    if range.count < Self.smallRun { return sortSmall(&elements, range, bytes) }
    let common = commonLength(elements, range, depth, bytes)
    // No key is a prefix of another, so that a key that is common to all is all of them.
    if common == key(elements[range.lowerBound].row, bytes).count { return }
    for index in range {
      let rest = key(elements[index].row, bytes)
      elements[index].prefix = KeyOrder.prefix(UnsafeRawBufferPointer(rebasing: rest[common...]))
    }
    radixSort(&elements, range)
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, elements[end].prefix == elements[start].prefix { end += 1 }
      if end - start > 1, key(elements[start].row, bytes).count > common + 8 {
        sort(&elements, start..<end, common + 8, bytes)
      }
      start = end
    }
  }

  private func sortSmall(
    _ elements: inout [Element], _ range: Range<Int>, _ bytes: UnsafeRawBufferPointer
  ) {
    for index in range.dropFirst() {
      let element = elements[index]
      let own = key(element.row, bytes)
      var place = index
      while place > range.lowerBound,
        KeyOrder.precedes(own, key(elements[place - 1].row, bytes))
      {
        elements[place] = elements[place - 1]
        place -= 1
      }
      elements[place] = element
    }
  }

  private func commonLength(
    _ elements: [Element], _ range: Range<Int>, _ depth: Int, _ bytes: UnsafeRawBufferPointer
  ) -> Int {
    let first = key(elements[range.lowerBound].row, bytes)
    var common = first.count
    for index in range.dropFirst() {
      let other = key(elements[index].row, bytes)
      let limit = min(common, other.count)
      var length = depth
      while length < limit, first[length] == other[length] { length += 1 }
      common = length
      if common <= depth { return depth }
    }
    return common
  }

  private func radixSort(_ elements: inout [Element], _ range: Range<Int>) {
    var differing: UInt64 = 0
    let first = elements[range.lowerBound].prefix
    for index in range { differing |= elements[index].prefix ^ first }
    let start = range.lowerBound
    var other = Array(elements[range])
    var isInOther = false
    var places = Array(repeating: 0, count: 257)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where (differing >> shift) & 255 != 0 {
      for digit in 0...256 { places[digit] = 0 }
      if isInOther {
        Self.deal(other, 0..<other.count, shift, &places, into: &elements, at: start)
      } else {
        Self.deal(elements, range, shift, &places, into: &other, at: 0)
      }
      isInOther.toggle()
    }
    if isInOther { elements.replaceSubrange(range, with: other) }
  }

  /// Copies the elements of `range` by the digit at `shift`; equal digits keep their order.
  private static func deal(
    _ from: [Element], _ range: Range<Int>, _ shift: UInt64, _ places: inout [Int],
    into to: inout [Element], at start: Int
  ) {
    for index in range { places[Int((from[index].prefix >> shift) & 255) + 1] += 1 }
    for digit in 0..<256 { places[digit + 1] += places[digit] }
    for index in range {
      let digit = Int((from[index].prefix >> shift) & 255)
      to[start + places[digit]] = from[index]
      places[digit] += 1
    }
  }
}
