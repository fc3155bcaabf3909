internal import AggregateCore

/// Parses one chunk of CSV records: finds delimiters and line ends eight bytes at a time and notes
/// where the cells lie.
struct CSVParser: ~Copyable {
  private let decoder: CSVDecoder
  private let chunk: RecordChunk
  /// The chunk as it was before bytes that are not UTF-8 were replaced.
  private let source: RecordChunk?
  private let delimiter: UInt8
  private let cellCount: Int
  private let nullText: [UInt8]
  private let isQuoting: Bool
  private var grid: CellGrid
  private var row = 0
  private var column = 0
  private var rowStart: Int
  private var finished: [(columns: [[Cell]], rows: Int, extras: Column?)] = []
  private var extraCells: [Cell] = []
  private var extras: ExtraCells?
  private var failure: AggregateError?
  private var skipped = 0
  private var firstSkipped: AggregateError?
  /// Set when the bytes must be edited and may not be.
  private var needsEditing = false

  init(_ decoder: CSVDecoder, _ chunk: RecordChunk, repairedFrom source: RecordChunk?) {
    self.decoder = decoder
    self.chunk = chunk
    self.source = source
    delimiter = decoder.dialect.delimiter
    cellCount = decoder.cellCount
    nullText = Array(decoder.dialect.nullText.utf8)
    isQuoting = decoder.syntax == .quoted
    // A record has at least one byte per cell.
    let possible = chunk.range.count / max(1, cellCount) + 1
    grid = CellGrid(columnCount: cellCount, capacity: min(decoder.batchRows, possible))
    rowStart = chunk.range.lowerBound
    extras = decoder.schema.columns.count > cellCount ? ExtraCells() : nil
  }

  /// Parses the chunk in `bytes`, which are those of its buffer.
  ///
  /// - Returns: False when a doubled quote was met and the bytes are not `editable`.
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, editable: UnsafeMutableRawBufferPointer?
  ) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let end = chunk.range.upperBound
    precondition(end <= bytes.count)
    let delimiters = Word.repeating(delimiter)
    let quotes = isQuoting ? Word.repeating(UInt8(ascii: "\"")) : delimiters
    let unescapes = isQuoting ? nil : editable
    let feeds = Word.repeating(10)
    let returns = Word.repeating(13)
    var cellStart = chunk.range.lowerBound
    var position = cellStart
    scan: while position < end {
      let word = Word.load(base, position)
      var marks = Word.marks(
        Word.nonzero(word ^ delimiters) & Word.nonzero(word ^ quotes)
          & Word.nonzero(word ^ feeds) & Word.nonzero(word ^ returns))
      if end - position < 8 { marks &= ~Word.filler(from: end - position) }
      while marks != 0 {
        let index = position &+ Word.first(marks)
        marks &= marks &- 1
        let byte = base.load(fromByteOffset: index, as: UInt8.self)
        if byte == delimiter {
          put(base, cellStart, index, unescapes)
          cellStart = index &+ 1
        } else if byte == 10 {
          put(base, cellStart, index, unescapes)
          cellStart = index &+ 1
          if !endRow(bytes, next: cellStart) { return true }
        } else if byte == 13 {
          put(base, cellStart, index, unescapes)
          cellStart = index &+ 1
          if cellStart < end, bytes[cellStart] == 10 { cellStart &+= 1 }
          if !endRow(bytes, next: cellStart) { return true }
          position = cellStart
          continue scan
        } else if index == cellStart {
          guard let next = quoted(bytes, index, editable) else { return !needsEditing }
          cellStart = next
          position = next
          continue scan
        }
      }
      position &+= 8
    }
    if rowStart < end || column > 0 {
      put(base, cellStart, end, unescapes)
      _ = endRow(bytes, next: end)
    }
    return true
  }

  /// Notes the unquoted cell `start..<end`.
  @inline(__always)
  private mutating func put(
    _ base: UnsafeRawPointer, _ start: Int, _ end: Int,
    _ unescapes: UnsafeMutableRawBufferPointer?
  ) {
    var length = end &- start
    if let unescapes { length = Self.unescape(unescapes, start, end) }
    if length == 0 { return place(CellKind.null, start, 0) }
    let first = base.load(fromByteOffset: start, as: UInt8.self)
    var kind = CellKind.text
    if first &- 48 < 10 || first == UInt8(ascii: "-") {
      kind = Self.numberKind(base, start, length)
    }
    if !nullText.isEmpty,
      UnsafeRawBufferPointer(start: base + start, count: length).equals(nullText)
    {
      kind = .null
    }
    place(kind, start, length)
  }

  /// Undoes `\t`, `\n`, `\r` and `\\` in place; gives the new length.
  private static func unescape(
    _ bytes: UnsafeMutableRawBufferPointer, _ start: Int, _ end: Int
  ) -> Int {
    var write = start
    var read = start
    while read < end {
      var byte = bytes[read]
      read += 1
      if byte == UInt8(ascii: "\\"), read < end {
        let meaning: UInt8? =
          switch bytes[read] {
          case UInt8(ascii: "t"): 9
          case UInt8(ascii: "n"): 10
          case UInt8(ascii: "r"): 13
          case UInt8(ascii: "\\"): UInt8(ascii: "\\")
          default: nil
          }
        if let meaning {
          byte = meaning
          read += 1
        }
      }
      bytes[write] = byte
      write += 1
    }
    return write - start
  }

  @inline(__always)
  private mutating func place(_ kind: CellKind, _ start: Int, _ length: Int) {
    let bits =
      UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: length) << 32
      | UInt64(kind.rawValue) << 60
    if column < cellCount {
      grid.set(row, column, bits)
    } else {
      extraCells.append(Cell(bits: bits))
    }
    column &+= 1
  }

  /// The kind of a cell that begins with a digit or `-`.
  @inline(__always)
  private static func numberKind(
    _ base: UnsafeRawPointer, _ start: Int, _ length: Int
  ) -> CellKind {
    let first = base.load(fromByteOffset: start, as: UInt8.self)
    if length <= 8 && first != UInt8(ascii: "0") && first != UInt8(ascii: "-") {
      // All digits: every byte has the high nibble 3, and still has when 6 is added.
      let word = Word.load(base, start)
      let unused = length == 8 ? 0 : Word.filler(from: length)
      let digits = (word & ~unused) | (0x3030_3030_3030_3030 & unused)
      let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
      if (digits & high) == 0x3030_3030_3030_3030,
        ((digits &+ 0x0606_0606_0606_0606) & high) == 0x3030_3030_3030_3030
      {
        return .integer
      }
    }
    return NumberText.kind(UnsafeRawBufferPointer(start: base + start, count: length)) ?? .text
  }

  /// Ends the record; false when the parsing is over.
  @inline(__always)
  private mutating func endRow(_ bytes: UnsafeRawBufferPointer, next: Int) -> Bool {
    if column != cellCount || extras != nil {
      if !endUnusualRow(bytes, next) { return false }
    } else {
      row &+= 1
    }
    column = 0
    rowStart = next
    if row == grid.capacity { flush() }
    return true
  }

  @inline(never)
  private mutating func endUnusualRow(_ bytes: UnsafeRawBufferPointer, _ next: Int) -> Bool {
    // A line without any cell holds no record – unless records have one cell, which is null then.
    let isBlank = column == 1 && (bytes[rowStart] == 10 || bytes[rowStart] == 13)
    if isBlank && cellCount > 1 { return true }
    if extras != nil {
      while column < cellCount {
        grid.set(row, column, Cell.null.bits)
        column += 1
      }
      extras?.append(extraCells, of: bytes)
      extraCells.removeAll(keepingCapacity: true)
      row += 1
      return true
    }
    extraCells.removeAll(keepingCapacity: true)
    let counted = column == 1 ? "1 cell" : "\(column) cells"
    return reject(
      "\(counted) where \(cellCount) \(cellCount == 1 ? "is" : "are") expected", at: rowStart,
      hint: "--ragged fills short records with null and keeps what is over in _extra")
  }

  /// Leaves out the record under way, whose fault is at `index`; false when that ends the parsing.
  private mutating func reject(_ problem: String, at index: Int, hint: String?) -> Bool {
    if firstSkipped == nil {
      let before = decoder.ledger.settledCount(before: chunk.index)
      let record = before.map { "record \($0 + readCount + 1)" } ?? "a record"
      let place = place(at: min(index, chunk.range.upperBound))
      let error = AggregateError(
        .badData, "\(record) has \(problem), at byte \(place.byte)", hint: hint,
        location: place.location(in: decoder.name))
      if decoder.policy == .fail {
        failure = error
        return false
      }
      firstSkipped = error
    }
    skipped += 1
    return true
  }

  /// How many records of the chunk were read or left out.
  private var readCount: Int { finished.reduce(row + skipped) { $0 + $1.rows } }

  /// Where in the input the byte at `index` is; the byte is that of its line when bytes were replaced.
  private func place(at index: Int) -> TextPlace {
    var place = chunk.place(at: index)
    guard let source else { return place }
    source.buffer.withUnsafeBytes { bytes in
      var byte = source.range.lowerBound
      var line = source.place.line
      while line < place.line, byte < source.range.upperBound {
        let isPair = bytes[byte] == 13 && byte + 1 < bytes.count && bytes[byte + 1] == 10
        if !isPair && (bytes[byte] == 10 || bytes[byte] == 13) { line += 1 }
        byte += 1
      }
      place.byte = source.place.byte + byte - source.range.lowerBound
    }
    return place
  }

  /// Notes the quoted cell whose opening quote is at `open`, and ends the row where it ends it.
  ///
  /// - Returns: Where the next cell begins; nil when the parsing is over.
  private mutating func quoted(
    _ bytes: UnsafeRawBufferPointer, _ open: Int, _ editable: UnsafeMutableRawBufferPointer?
  ) -> Int? {
    let end = chunk.range.upperBound
    let quote = UInt8(ascii: "\"")
    let start = open + 1
    var write = start
    var read = start
    var close = end
    while true {
      guard let found = bytes.firstIndex(of: quote, from: read), found < end else {
        _ = reject(
          "a quote that is never closed", at: open, hint: "a quote inside a quoted cell is doubled")
        return nil
      }
      if let editable, write != read, let target = editable.baseAddress {
        (target + write).copyMemory(from: target + read, byteCount: found - read)
      }
      write += found - read
      guard found + 1 < end, bytes[found + 1] == quote else {
        close = found
        break
      }
      guard let editable else {
        needsEditing = true
        return nil
      }
      editable[write] = quote
      write += 1
      read = found + 2
    }
    place(.text, start, write - start)
    return afterQuoted(bytes, close + 1)
  }

  private mutating func afterQuoted(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int? {
    let end = chunk.range.upperBound
    if index == end { return finishAtEnd(bytes) }
    if bytes[index] == delimiter {
      // A delimiter that is the last byte is followed by an empty cell, which `parse` adds.
      return index + 1
    }
    if bytes[index] == 10 || bytes[index] == 13 {
      let isPair = bytes[index] == 13 && index + 1 < end && bytes[index + 1] == 10
      let next = index + (isPair ? 2 : 1)
      return endRow(bytes, next: next) ? next : nil
    }
    column = 0
    extraCells.removeAll(keepingCapacity: true)
    if !reject(
      "text behind the closing quote of a cell", at: index,
      hint: "a quote inside a quoted cell is doubled")
    {
      return nil
    }
    return skipRecord(bytes, from: index)
  }

  private mutating func finishAtEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
    _ = endRow(bytes, next: chunk.range.upperBound)
    return nil
  }

  /// Where the record behind the one that `index`, which is behind a closing quote, lies in begins.
  ///
  /// The rest of the record is read as ``CSVBoundary`` reads it: were one to differ from the other, what
  /// survives would depend on where the input was cut.
  private mutating func skipRecord(_ bytes: UnsafeRawBufferPointer, from index: Int) -> Int? {
    let end = chunk.range.upperBound
    let quote = UInt8(ascii: "\"")
    var i = index
    while i < end {
      let byte = bytes[i]
      if byte == 10 || byte == 13 {
        i += byte == 13 && i + 1 < end && bytes[i + 1] == 10 ? 2 : 1
        rowStart = i
        return i
      }
      i += 1
      guard byte == quote, i - 1 > index, bytes[i - 2] == delimiter else { continue }
      while i < end {
        if bytes[i] == quote {
          if i + 1 == end || bytes[i + 1] != quote { break }
          i += 1
        }
        i += 1
      }
      i += 1
    }
    rowStart = end
    return nil
  }

  private mutating func flush() {
    if row == 0 { return }
    let columns = (0..<cellCount).map { grid.column($0, rows: row) }
    finished.append((columns, row, extras.map { $0.column() }))
    if extras != nil { extras = ExtraCells() }
    row = 0
  }

  /// The rows as batches whose cells point into `buffer`.
  consuming func result(buffer: ByteBuffer) -> Decoded {
    flush()
    if skipped > 0, let firstSkipped {
      do {
        try decoder.log.skipped(
          records: skipped, of: decoder.name, first: firstSkipped, at: chunk.place.byte)
      } catch { failure = firstSkipped }
    }
    decoder.ledger.note(readCount, chunk: chunk.index)
    let schema = decoder.schema
    let batches = finished.map { part in
      Batch(
        schema: schema,
        columns: part.columns.map { .spans(SpanColumn(buffer: buffer, cells: $0)) }
          + (part.extras.map { [$0] } ?? []),
        rowCount: part.rows)
    }
    return Decoded(batches: batches, failure: failure)
  }
}
