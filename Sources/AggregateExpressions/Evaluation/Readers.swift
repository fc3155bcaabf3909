import AggregateCore

/// Plain text of each row. The pointers it gives live as long as it does.
struct TextReader {
  private let buffer: ByteBuffer
  private let cells: [Cell]
  private let base: UnsafeRawBufferPointer

  init(_ spans: SpanColumn) {
    buffer = spans.buffer
    cells = spans.cells
    base = spans.buffer.withUnsafeBytes { $0 }
  }

  @inline(__always)
  subscript(row: Int) -> UnsafeRawBufferPointer? {
    let cell = cells[row]
    return cell.kind.isNull ? nil : UnsafeRawBufferPointer(rebasing: base[cell.range])
  }

  func string(_ row: Int) -> String? { self[row].map { String(decoding: $0, as: UTF8.self) } }
}

/// Values of any kind, row by row. The pointers it gives live as long as it does.
struct CellReader {
  private enum Source {
    case constant(CellValue, ByteBuffer)
    case spans(SpanColumn, UnsafeRawBufferPointer)
    case ints(Vector<Int64>)
    case doubles(Vector<Double>)
    case bools(Vector<Bool>)
    case instants(Vector<Instant>)
    case dates(Vector<CalendarDate>)
    case intervals(Vector<Interval>)
  }

  private let source: Source

  init(_ operand: Operand) {
    switch operand {
    case .constant(let scalar):
      let buffer = ByteBuffer(scalar.text ?? "")
      let bytes = buffer.withUnsafeBytes { $0 }
      let value: CellValue
      switch scalar {
      case .null: value = .null
      case .bool(let x): value = .bool(x)
      case .int(let x): value = .int(x)
      case .decimal(let x): value = .double(x.double)
      case .double(let x): value = .double(x)
      case .text: value = .text(bytes)
      case .instant(let x): value = .instant(x)
      case .date(let x): value = .date(x)
      case .interval(let x): value = .interval(x)
      case .json:
        let cell = JSONCells.cell(buffer, 0..<buffer.count)
        let spans = Texts.unescaped(SpanColumn(buffer: buffer, cells: [cell]))
        source = .spans(spans, spans.buffer.withUnsafeBytes { $0 })
        return
      }
      source = .constant(value, buffer)
    case .intervals(let vector): source = .intervals(vector)
    case .column(.spans(let spans)):
      let plain = Texts.unescaped(spans)
      source = .spans(plain, plain.buffer.withUnsafeBytes { $0 })
    case .column(.ints(let vector)): source = .ints(vector)
    case .column(.doubles(let vector)): source = .doubles(vector)
    case .column(.bools(let vector)): source = .bools(vector)
    case .column(.instants(let vector)): source = .instants(vector)
    case .column(.dates(let vector)): source = .dates(vector)
    }
  }

  @inline(__always)
  subscript(row: Int) -> CellValue {
    switch source {
    case .constant(let value, _): return value
    case .spans(let spans, let base):
      let cell = spans.cells[spans.cells.count == 1 ? 0 : row]
      switch cell.kind {
      case .absent, .null: return .null
      case .text, .escapedText: return .text(UnsafeRawBufferPointer(rebasing: base[cell.range]))
      case .true: return .bool(true)
      case .false: return .bool(false)
      case .object, .array: return .nested(UnsafeRawBufferPointer(rebasing: base[cell.range]))
      case .integer, .real:
        let bytes = UnsafeRawBufferPointer(rebasing: base[cell.range])
        switch NumberReader.number(bytes, isInteger: cell.kind == .integer) {
        case .int(let value): return .int(value)
        case .double(let value): return .double(value)
        }
      }
    case .ints(let vector): return vector[row].map { .int($0) } ?? .null
    case .doubles(let vector): return vector[row].map { .double($0) } ?? .null
    case .bools(let vector): return vector[row].map { .bool($0) } ?? .null
    case .instants(let vector): return vector[row].map { .instant($0) } ?? .null
    case .dates(let vector): return vector[row].map { .date($0) } ?? .null
    case .intervals(let vector): return vector[row].map { .interval($0) } ?? .null
    }
  }
}

extension CellReader {
  /// The value at `row` for comparing: an integer that does not fit is itself, not the nearest real number.
  @inline(__always)
  func exact(_ row: Int) -> CellValue {
    let value = self[row]
    if case .double = value, let text = number(row), LongInteger.isInteger(text) {
      return .long(text)
    }
    return value
  }

  /// How the number at `row` was written; nil for a value that is no number or was computed.
  func number(_ row: Int) -> UnsafeRawBufferPointer? {
    guard case .spans(let spans, let base) = source else { return nil }
    let cell = spans.cells[spans.cells.count == 1 ? 0 : row]
    return cell.kind.isNumber ? UnsafeRawBufferPointer(rebasing: base[cell.range]) : nil
  }

  /// The value at `row`, kept beyond the batch as it was written.
  func stored(_ row: Int) -> StoredValue {
    switch exact(row) {
    case .long(let text): .number(Array(text))
    case .double(let value): number(row).map { .number(Array($0)) } ?? .double(value)
    case let value: StoredValue(value)
    }
  }
}

/// Cells as plain text.
enum Texts {
  /// The same cells without escapes, copied only when there are any.
  static func unescaped(_ spans: SpanColumn) -> SpanColumn {
    guard spans.cells.contains(where: { $0.kind == .escapedText }) else { return spans }
    var out = ByteBuilder(capacity: spans.cells.reduce(0) { $0 + $1.length })
    let cells = spans.withCells { bytes, cells in
      var moved: [Cell] = []
      moved.reserveCapacity(cells.count)
      for i in cells.indices {
        let cell = cells[i]
        let start = out.count
        let source = UnsafeRawBufferPointer(rebasing: bytes[cell.range])
        var kind = cell.kind
        if kind == .escapedText {
          EscapedText.decode(source, into: &out)
          kind = .text
        } else {
          out.append(source)
        }
        moved.append(Cell(kind, offset: start, length: out.count - start))
      }
      return moved
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }

  /// Every value as text (a cast to text); cells that are text or null only.
  static func cells(_ spans: SpanColumn) -> SpanColumn {
    let plain = unescaped(spans)
    if plain.cells.allSatisfy({ $0.kind == .text || $0.kind.isNull }) { return plain }
    if !plain.cells.contains(where: { $0.kind == .true || $0.kind == .false }) {
      // Numbers and nested values are their own text.
      return SpanColumn(
        buffer: plain.buffer,
        cells: plain.cells.map {
          $0.kind.isNull ? .null : Cell(.text, offset: $0.offset, length: $0.length)
        })
    }
    var out = ByteBuilder(capacity: plain.cells.reduce(16) { $0 + $1.length })
    let yes = Cell(.text, offset: 0, length: 4)
    let no = Cell(.text, offset: 4, length: 5)
    out.append(literal: "truefalse")
    let cells = plain.withCells { bytes, cells in
      var moved: [Cell] = []
      for i in cells.indices {
        let cell = cells[i]
        switch cell.kind {
        case .absent, .null: moved.append(.null)
        case .true: moved.append(yes)
        case .false: moved.append(no)
        default:
          moved.append(Cell(.text, offset: out.count, length: cell.length))
          out.append(UnsafeRawBufferPointer(rebasing: bytes[cell.range]))
        }
      }
      return moved
    }
    return SpanColumn(buffer: out.finish(), cells: cells)
  }
}
