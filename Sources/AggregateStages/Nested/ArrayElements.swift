internal import AggregateCore

/// The elements of a JSON array, as cells of the buffer that its text is in.
enum ArrayElements {
  /// Calls `body` with each element of the array whose valid text is at `range`.
  static func forEach(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ body: (Cell) -> Void
  ) {
    var i = range.lowerBound + 1
    let end = range.upperBound
    while true {
      while i < end, bytes[i] <= 0x20 || bytes[i] == UInt8(ascii: ",") { i += 1 }
      guard i < end, bytes[i] != UInt8(ascii: "]") else { return }
      let start = i
      switch bytes[i] {
      case UInt8(ascii: "\""):
        let isEscaped = skipString(bytes, &i, end)
        body(
          Cell(isEscaped ? .escapedText : .text, offset: start + 1, length: max(0, i - start - 2)))
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let kind: CellKind = bytes[i] == UInt8(ascii: "{") ? .object : .array
        skipNested(bytes, &i, end)
        body(Cell(kind, offset: start, length: i - start))
      default:
        while i < end, bytes[i] > 0x20, bytes[i] != UInt8(ascii: ","), bytes[i] != UInt8(ascii: "]")
        {
          i += 1
        }
        body(scalar(bytes, start..<i))
      }
    }
  }

  private static func scalar(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Cell {
    switch bytes[range.lowerBound] {
    case UInt8(ascii: "t"): return Cell(.true)
    case UInt8(ascii: "f"): return Cell(.false)
    case UInt8(ascii: "n"): return .null
    default:
      let kind = NumberText.kind(UnsafeRawBufferPointer(rebasing: bytes[range]))
      return Cell(kind ?? .text, offset: range.lowerBound, length: range.count)
    }
  }

  /// Moves behind the string that begins at `i`; gives back whether it has an escape.
  private static func skipString(
    _ bytes: UnsafeRawBufferPointer, _ i: inout Int, _ end: Int
  ) -> Bool {
    var isEscaped = false
    i += 1
    while i < end, bytes[i] != UInt8(ascii: "\"") {
      if bytes[i] == UInt8(ascii: "\\") {
        isEscaped = true
        i += 1
      }
      i += 1
    }
    i = min(i + 1, end)
    return isEscaped
  }

  private static func skipNested(_ bytes: UnsafeRawBufferPointer, _ i: inout Int, _ end: Int) {
    var depth = 0
    while i < end {
      switch bytes[i] {
      case UInt8(ascii: "\""):
        _ = skipString(bytes, &i, end)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      i += 1
      if depth == 0 { return }
    }
  }
}
