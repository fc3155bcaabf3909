/// Sorted runs, the one with the least current key first; of equal keys, the earlier run.
struct RunHeap {
  private struct Entry {
    let number: Int
    let reader: RunReader
  }

  private var entries: [Entry] = []

  /// Creates a heap of runs, each at its first record.
  init(_ readers: [RunReader]) {
    entries = readers.enumerated().map { Entry(number: $0.offset, reader: $0.element) }
      .filter { !$0.reader.isAtEnd }
    for index in stride(from: entries.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  /// Whether all runs are at their ends.
  var isEmpty: Bool { entries.isEmpty }

  /// The run with the least current key.
  var first: RunReader? { entries.first?.reader }

  /// Goes on to the next record of the first run.
  mutating func advance() throws {
    guard let reader = first else { return }
    try reader.advance()
    if reader.isAtEnd {
      entries.swapAt(0, entries.count - 1)
      entries.removeLast()
    }
    sink(0)
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
        if precedes(child, least) { least = child }
      }
      if least == index { return }
      entries.swapAt(index, least)
      index = least
    }
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    let order = entries[a].reader.withRecord { x, _ in
      entries[b].reader.withRecord { y, _ in KeyOrder.compare(x, y) }
    }
    return order == 0 ? entries[a].number < entries[b].number : order < 0
  }
}
