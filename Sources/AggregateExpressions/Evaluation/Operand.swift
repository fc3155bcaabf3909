import AggregateCore

/// The values of a part of an expression over the rows of a frame.
enum Operand: Sendable {
  /// The same value for all rows.
  case constant(Scalar)
  /// One value per row.
  case column(Column)
  /// Intervals, which are no column of their own.
  case intervals(Vector<Interval>)

  static let null = Operand.constant(.null)

  static func ints(_ vector: Vector<Int64>) -> Operand { .column(.ints(vector)) }
  static func doubles(_ vector: Vector<Double>) -> Operand { .column(.doubles(vector)) }
  static func bools(_ vector: Vector<Bool>) -> Operand { .column(.bools(vector)) }
  static func instants(_ vector: Vector<Instant>) -> Operand { .column(.instants(vector)) }
  static func dates(_ vector: Vector<CalendarDate>) -> Operand { .column(.dates(vector)) }
  static func spans(_ spans: SpanColumn) -> Operand { .column(.spans(spans)) }

  /// As a column of `count` rows.
  func column(count: Int) -> Column {
    switch self {
    case .column(let column): return column
    case .intervals(let vector):
      return Rows.texts(count) { row, out in
        guard let value = vector[row] else { return false }
        out.append(value.description)
        return true
      }.column(count: count)
    case .constant(let scalar):
      func all<T: BitwiseCopyable & Sendable>(_ value: T) -> Vector<T> {
        Vector(Array(repeating: value, count: count))
      }
      switch scalar {
      case .null: return .nulls(count)
      case .bool(let value): return .bools(all(value))
      case .int(let value): return .ints(all(value))
      case .decimal(let value): return .doubles(all(value.double))
      case .double(let value): return .doubles(all(value))
      case .instant(let value): return .instants(all(value))
      case .date(let value): return .dates(all(value))
      case .text(let value): return .constant(value, count: count)
      case .interval(let value): return .constant(value.description, count: count)
      case .json(let text):
        let buffer = ByteBuffer(text)
        let cell = JSONCells.cell(buffer, 0..<buffer.count)
        return .spans(SpanColumn(buffer: buffer, cells: Array(repeating: cell, count: count)))
      }
    }
  }

  /// The given rows, in the given order.
  func gathered(_ rows: [Int32]) -> Operand {
    switch self {
    case .constant: return self
    case .column(let column): return .column(column.gathered(rows))
    case .intervals(let vector):
      return .intervals(
        Vector(
          rows.map { vector.values[Int($0)] },
          nulls: vector.nulls.map { nulls in rows.map { nulls[Int($0)] } }))
    }
  }
}

/// Builds results row by row, without allocating per row.
enum Rows {
  /// Text of `count` rows: `body` appends one row's text, or gives false for null.
  static func texts(_ count: Int, _ body: (Int, inout ByteBuilder) -> Bool) -> Operand {
    cells(count) { row, out in body(row, &out) ? .text : .null }
  }

  /// Cells of `count` rows: `body` appends one row's bytes and gives their kind.
  static func cells(_ count: Int, _ body: (Int, inout ByteBuilder) -> CellKind) -> Operand {
    var out = ByteBuilder(capacity: max(64, count * 8))
    var cells: [Cell] = []
    cells.reserveCapacity(count)
    for row in 0..<count {
      let start = out.count
      let kind = body(row, &out)
      if kind.isNull { out.truncate(to: start) }
      cells.append(
        kind.isNull ? .null : Cell(kind, offset: start, length: out.count - start))
    }
    return .spans(SpanColumn(buffer: out.finish(), cells: cells))
  }

  /// A vector of `count` rows: `body` gives one row's value, or nil for null.
  @inline(__always)
  static func vector<T: BitwiseCopyable & Sendable>(
    _ count: Int, _ empty: T, _ body: (Int) -> T?
  ) -> Vector<T> {
    var nulls: [Bool]?
    let values = [T](unsafeUninitializedCapacity: count) { target, initialized in
      for row in 0..<count {
        if let value = body(row) {
          target.initializeElement(at: row, to: value)
        } else {
          target.initializeElement(at: row, to: empty)
          if nulls == nil { nulls = Array(repeating: false, count: count) }
          nulls?[row] = true
        }
      }
      initialized = count
    }
    return Vector(values, nulls: nulls)
  }

  static func ints(_ count: Int, _ body: (Int) -> Int64?) -> Operand {
    .ints(vector(count, 0, body))
  }
  static func doubles(_ count: Int, _ body: (Int) -> Double?) -> Operand {
    .doubles(vector(count, 0, body))
  }
  static func bools(_ count: Int, _ body: (Int) -> Bool?) -> Operand {
    .bools(vector(count, false, body))
  }
  static func instants(_ count: Int, _ body: (Int) -> Instant?) -> Operand {
    .instants(vector(count, Instant(microseconds: 0), body))
  }
  static func dates(_ count: Int, _ body: (Int) -> CalendarDate?) -> Operand {
    .dates(vector(count, CalendarDate(days: 0), body))
  }
}

/// JSON text as cells.
enum JSONCells {
  /// The cell for a JSON value that lies at `range`, which has no space around it.
  static func cell(_ buffer: ByteBuffer, _ range: Range<Int>) -> Cell {
    buffer.withUnsafeBytes { bytes in
      let text = UnsafeRawBufferPointer(rebasing: bytes[range])
      guard let first = text.first else { return .null }
      switch first {
      case UInt8(ascii: "{"): return Cell(.object, offset: range.lowerBound, length: range.count)
      case UInt8(ascii: "["): return Cell(.array, offset: range.lowerBound, length: range.count)
      case UInt8(ascii: "\""):
        let inside = text.dropFirst().dropLast()
        let kind: CellKind = inside.contains(UInt8(ascii: "\\")) ? .escapedText : .text
        return Cell(kind, offset: range.lowerBound + 1, length: range.count - 2)
      case UInt8(ascii: "t"): return Cell(.true)
      case UInt8(ascii: "f"): return Cell(.false)
      case UInt8(ascii: "n"): return .null
      default:
        return Cell(
          NumberText.kind(text) ?? .text, offset: range.lowerBound, length: range.count)
      }
    }
  }
}
