internal import AggregateCore

/// Finds the last place in a block where a CSV record ends, however quotes lie.
///
/// A quote opens only at the beginning of a cell, so a stray one (`5" pipe`) does not put the search
/// out of step, as counting quotes would.
struct CSVBoundary {
  let delimiter: UInt8

  /// The index behind the last record that is whole in `bytes[start...]`; `start` when there is none.
  ///
  /// `start` must be where a record begins.
  func lastRecordEnd(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    // Rows are short and blocks are long: looking for line ends near the end nearly always suffices.
    let late = start + (bytes.count - start) / 4 * 3
    let found = scan(bytes, start, lookingFrom: late)
    return found > start ? found : scan(bytes, start, lookingFrom: start)
  }

  private func scan(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, lookingFrom late: Int
  ) -> Int {
    let quote = UInt8(ascii: "\"")
    var end = start
    var outside = start
    var i = start
    while true {
      let opening = nextOpening(bytes, from: i, start: start)
      let limit = opening ?? bytes.count
      if limit >= late { end = lineEnd(bytes, outside..<limit) ?? end }
      guard let opening else { return end }
      var j = opening + 1
      while true {
        guard let k = bytes.firstIndex(of: quote, from: j) else { return end }
        if k + 1 < bytes.count, bytes[k + 1] == quote {
          j = k + 2
        } else {
          j = k + 1
          break
        }
      }
      // A quote that is the last byte may be the first of a doubled one.
      if j == bytes.count { return end }
      outside = j
      i = j
    }
  }

  private func nextOpening(
    _ bytes: UnsafeRawBufferPointer, from first: Int, start: Int
  ) -> Int? {
    var i = first
    while let k = bytes.firstIndex(of: UInt8(ascii: "\""), from: i) {
      if k == start { return k }
      let before = bytes[k - 1]
      if k > first && (before == delimiter || before == 10 || before == 13) { return k }
      i = k + 1
    }
    return nil
  }

  /// Behind the last line end in `range`. A CR is one when the byte behind it is known not to be LF.
  private func lineEnd(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    var i = range.upperBound
    while i > range.lowerBound {
      i -= 1
      if bytes[i] == 10 { return i + 1 }
      if bytes[i] == 13, i + 1 < bytes.count, bytes[i + 1] != 10 { return i + 1 }
    }
    return nil
  }
}
