internal import AggregateCore

/// The packed form of a row: one word per column, then the bytes of the values.
enum RowPacking {
  /// The kinds of the words of computed values, beside those of cells.
  private enum Kind {
    static let int = 10
    static let double = 11
    static let bool = 12
    static let instant = 13
    static let date = 14
  }

  /// The rows of `batch` one behind the other, and where each begins.
  static func pack(_ batch: Batch) -> (block: ByteBuffer, offsets: [Int]) {
    let rows = batch.rowCount
    let head = 8 * batch.columns.count
    var lengths = Array(repeating: head, count: rows)
    for column in batch.columns {
      switch column {
      case .spans(let spans):
        spans.withCells { _, cells in for row in 0..<rows { lengths[row] += cells[row].length } }
      case .bools: break
      default: for row in 0..<rows { lengths[row] += 8 }
      }
    }
    var offsets: [Int] = []
    offsets.reserveCapacity(rows)
    var total = 0
    for length in lengths {
      offsets.append(total)
      total += length
    }
    let block = ByteBuffer(capacity: total) { target in
      var cursors = Array(repeating: head, count: rows)
      for (index, column) in batch.columns.enumerated() {
        write(column, 8 * index, offsets, &cursors, target)
      }
      return total
    }
    return (block, offsets)
  }

  private static func write(
    _ column: Column, _ word: Int, _ offsets: [Int], _ cursors: inout [Int],
    _ target: UnsafeMutableRawBufferPointer
  ) {
    guard let base = target.baseAddress else { return }
    func store(_ bits: UInt64, _ row: Int) {
      target.storeBytes(of: bits, toByteOffset: offsets[row] + word, as: UInt64.self)
    }
    func vector<T>(_ vector: Vector<T>, _ kind: Int, _ bits: (T) -> UInt64) {
      for row in offsets.indices {
        if let value = vector[row] {
          target.storeBytes(
            of: bits(value), toByteOffset: offsets[row] + cursors[row], as: UInt64.self)
          store(packedWord(kind, cursors[row], 8), row)
        } else {
          target.storeBytes(of: 0, toByteOffset: offsets[row] + cursors[row], as: UInt64.self)
          store(packedWord(Int(CellKind.null.rawValue), cursors[row], 8), row)
        }
        cursors[row] += 8
      }
    }
    switch column {
    case .spans(let spans):
      spans.withCells { source, cells in
        for row in offsets.indices {
          let cell = cells[row]
          let length = cell.length
          store(packedWord(Int(cell.kind.rawValue), cursors[row], length), row)
          if length > 0, let from = source.baseAddress {
            precondition(cell.range.upperBound <= source.count)
            (base + offsets[row] + cursors[row]).copyMemory(
              from: from + cell.offset, byteCount: length)
            cursors[row] += length
          }
        }
      }
    case .ints(let values): vector(values, Kind.int) { UInt64(bitPattern: $0) }
    case .doubles(let values): vector(values, Kind.double) { $0.bitPattern }
    case .instants(let values): vector(values, Kind.instant) { UInt64(bitPattern: $0.microseconds) }
    case .dates(let values): vector(values, Kind.date) { UInt64(UInt32(bitPattern: $0.days)) }
    case .bools(let values):
      for row in offsets.indices {
        store(
          values[row].map { packedWord(Kind.bool, $0 ? 1 : 0, 0) }
            ?? packedWord(Int(CellKind.null.rawValue), cursors[row], 0), row)
      }
    }
  }

  @inline(__always)
  private static func packedWord(_ kind: Int, _ offset: Int, _ length: Int) -> UInt64 {
    UInt64(kind) << 60 | UInt64(length) << 32 | UInt64(offset)
  }

  /// The length of the packed row that begins `bytes`.
  static func length(_ bytes: UnsafeRawBufferPointer, columnCount: Int) -> Int {
    var length = 8 * columnCount
    for column in 0..<columnCount {
      let word = bytes.loadUnaligned(fromByteOffset: 8 * column, as: UInt64.self)
      length += Int(word >> 32 & 0x0FFF_FFFF)
    }
    return length
  }

  /// A batch of `count` packed rows; `row` gives bytes that begin with the packed row.
  static func unpack(
    count: Int, schema: Schema, row: (Int) -> UnsafeRawBufferPointer
  ) -> Batch {
    let columns = schema.columns.count
    var out = ByteBuilder(capacity: count * columns * 8)
    var masks = Array(repeating: UInt16(0), count: columns)
    let words = [UInt64](unsafeUninitializedCapacity: count * columns) { words, initialized in
      for r in 0..<count {
        let source = row(r)
        let start = out.count
        var length = 8 * columns
        for c in 0..<columns {
          let word = source.loadUnaligned(fromByteOffset: 8 * c, as: UInt64.self)
          masks[c] |= 1 << UInt16(word >> 60)
          length += Int(word >> 32 & 0x0FFF_FFFF)
          let isBool = word >> 60 == UInt64(Kind.bool)
          words[c * count + r] = isBool ? word : word &+ UInt64(start) &- UInt64(8 * columns)
        }
        out.append(UnsafeRawBufferPointer(rebasing: source[8 * columns..<length]))
      }
      initialized = count * columns
    }
    let buffer = out.finish()
    let result = (0..<columns).map { c in
      column(words[c * count..<(c + 1) * count], masks[c], buffer)
    }
    return Batch(schema: schema, columns: result, rowCount: count)
  }

  /// Cells where all values are cells, a vector where all are of its type, else cells made of each.
  private static func column(
    _ words: ArraySlice<UInt64>, _ mask: UInt16, _ buffer: ByteBuffer
  ) -> Column {
    if mask >> 10 == 0 {
      return .spans(SpanColumn(buffer: buffer, cells: words.map { Cell(bits: $0) }))
    }
    func bits(_ word: UInt64) -> UInt64 {
      let offset = Int(word & 0xFFFF_FFFF)
      return buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
    func nulls() -> [Bool]? {
      mask & 3 == 0 ? nil : words.map { $0 >> 60 <= 1 }
    }
    func vector<T>(_ value: (UInt64) -> T) -> Vector<T> {
      Vector(words.map { value($0 >> 60 <= 1 ? 0 : bits($0)) }, nulls: nulls())
    }
    switch mask & ~3 {
    case 1 << Kind.int: return .ints(vector { Int64(bitPattern: $0) })
    case 1 << Kind.double: return .doubles(vector { Double(bitPattern: $0) })
    case 1 << Kind.instant:
      return .instants(vector { Instant(microseconds: Int64(bitPattern: $0)) })
    case 1 << Kind.date:
      return .dates(vector { CalendarDate(days: Int32(truncatingIfNeeded: Int64(bitPattern: $0))) })
    case 1 << Kind.bool: return .bools(Vector(words.map { $0 & 1 == 1 }, nulls: nulls()))
    default: break
    }
    var cells = CellBuilder()
    for word in words {
      switch Int(word >> 60) {
      case Kind.int: cells.append(.int(Int64(bitPattern: bits(word))))
      case Kind.double: cells.append(.double(Double(bitPattern: bits(word))))
      case Kind.bool: cells.append(.bool(word & 1 == 1))
      case Kind.instant:
        cells.append(.instant(Instant(microseconds: Int64(bitPattern: bits(word)))))
      case Kind.date:
        cells.append(
          .date(CalendarDate(days: Int32(truncatingIfNeeded: Int64(bitPattern: bits(word))))))
      default: cells.append(Cell(bits: word), of: buffer)
      }
    }
    return cells.finish()
  }
}
