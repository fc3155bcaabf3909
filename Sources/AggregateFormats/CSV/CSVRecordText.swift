internal import AggregateCore

/// Reads one CSV record into texts: for headers, not for rows.
enum CSVRecordText {
  /// What stood at the beginning of a text.
  struct Record {
    /// The cells.
    var cells: [String]
    /// The index behind the record's line end.
    var end: Int
    /// Whether a quote was left open.
    var isOpen: Bool
  }

  /// The first record in `bytes[range]` that is not an empty line; nil when there is none.
  static func first(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, delimiter: UInt8, isQuoting: Bool
  ) -> Record? {
    var start = range.lowerBound
    while start < range.upperBound, bytes[start] == 10 || bytes[start] == 13 { start += 1 }
    if start == range.upperBound { return nil }
    var record = Record(cells: [], end: start, isOpen: false)
    var cell: [UInt8] = []
    var i = start
    var isCellStart = true
    while i < range.upperBound {
      let byte = bytes[i]
      if isQuoting && isCellStart && byte == UInt8(ascii: "\"") {
        i = quoted(bytes, i + 1, range.upperBound, &cell, &record.isOpen)
        isCellStart = false
        continue
      }
      i += 1
      isCellStart = byte == delimiter
      if byte == delimiter {
        record.cells.append(String(decoding: cell, as: UTF8.self))
        cell = []
      } else if byte == 10 || byte == 13 {
        if byte == 13, i < range.upperBound, bytes[i] == 10 { i += 1 }
        break
      } else {
        cell.append(byte)
      }
    }
    record.cells.append(String(decoding: cell, as: UTF8.self))
    record.end = i
    return record
  }

  private static func quoted(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int, _ cell: inout [UInt8],
    _ isOpen: inout Bool
  ) -> Int {
    var i = start
    while i < end {
      if bytes[i] == UInt8(ascii: "\"") {
        guard i + 1 < end, bytes[i + 1] == UInt8(ascii: "\"") else { return i + 1 }
        i += 1
      }
      cell.append(bytes[i])
      i += 1
    }
    isOpen = true
    return i
  }
}
