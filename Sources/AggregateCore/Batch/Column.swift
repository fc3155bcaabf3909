/// Cells that are spans of one shared byte buffer; nothing is converted until a stage needs it.
public struct SpanColumn: Sendable {
  /// What the cells point into.
  public let buffer: ByteBuffer
  /// One cell per row.
  public let cells: [Cell]

  /// Creates a column; every cell must lie inside `buffer`.
  public init(buffer: ByteBuffer, cells: [Cell]) {
    self.buffer = buffer
    self.cells = cells
  }

  /// Calls `body` with the bytes and the cells, for tight loops.
  @inline(__always)
  public func withCells<R, E: Error>(
    _ body: (UnsafeRawBufferPointer, Span<Cell>) throws(E) -> R
  ) throws(E) -> R {
    let cells = self.cells
    return try body(buffer.rawBytes, cells.span)
  }
}

/// Values of one fixed-size type, with nulls apart.
public struct Vector<Element: Sendable & BitwiseCopyable>: Sendable {
  /// One value per row; what stands at a null row has no meaning.
  public let values: [Element]
  /// One flag per row, true where there is no value; nil when no row is null.
  public let nulls: [Bool]?

  /// Creates a vector; `nulls`, when given, has as many elements as `values`.
  public init(_ values: [Element], nulls: [Bool]? = nil) {
    precondition(nulls.map { $0.count == values.count } ?? true)
    self.values = values
    self.nulls = nulls
  }

  /// The value at `row`, nil where there is none.
  @inline(__always)
  public subscript(row: Int) -> Element? {
    if let nulls, nulls[row] { return nil }
    return values[row]
  }

  func gathered(_ rows: [Int32]) -> Vector {
    Vector(
      rows.map { values[Int($0)] }, nulls: nulls.map { nulls in rows.map { nulls[Int($0)] } })
  }

  func sliced(_ range: Range<Int>) -> Vector {
    Vector(Array(values[range]), nulls: nulls.map { Array($0[range]) })
  }
}

/// One column of a batch, in the representation that fits where it came from.
public enum Column: Sendable {
  /// Cells as they were read, or computed text.
  case spans(SpanColumn)
  /// Computed integers.
  case ints(Vector<Int64>)
  /// Computed real numbers.
  case doubles(Vector<Double>)
  /// Computed booleans.
  case bools(Vector<Bool>)
  /// Computed points in time.
  case instants(Vector<Instant>)
  /// Computed calendar dates.
  case dates(Vector<CalendarDate>)

  /// The number of rows.
  public var count: Int {
    switch self {
    case .spans(let column): column.cells.count
    case .ints(let vector): vector.values.count
    case .doubles(let vector): vector.values.count
    case .bools(let vector): vector.values.count
    case .instants(let vector): vector.values.count
    case .dates(let vector): vector.values.count
    }
  }

  /// The given rows, in the given order.
  public func gathered(_ rows: [Int32]) -> Column {
    switch self {
    case .spans(let column):
      let cells = column.cells
      return .spans(SpanColumn(buffer: column.buffer, cells: rows.map { cells[Int($0)] }))
    case .ints(let vector): return .ints(vector.gathered(rows))
    case .doubles(let vector): return .doubles(vector.gathered(rows))
    case .bools(let vector): return .bools(vector.gathered(rows))
    case .instants(let vector): return .instants(vector.gathered(rows))
    case .dates(let vector): return .dates(vector.gathered(rows))
    }
  }

  /// The rows of `range`.
  public func sliced(_ range: Range<Int>) -> Column {
    switch self {
    case .spans(let column):
      return .spans(SpanColumn(buffer: column.buffer, cells: Array(column.cells[range])))
    case .ints(let vector): return .ints(vector.sliced(range))
    case .doubles(let vector): return .doubles(vector.sliced(range))
    case .bools(let vector): return .bools(vector.sliced(range))
    case .instants(let vector): return .instants(vector.sliced(range))
    case .dates(let vector): return .dates(vector.sliced(range))
    }
  }

  /// What the cell at `row` holds; computed values count as what they would be read as.
  public func kind(at row: Int) -> CellKind {
    switch self {
    case .spans(let column): column.cells[row].kind
    case .ints(let vector): vector[row] == nil ? .null : .integer
    case .doubles(let vector): vector[row] == nil ? .null : .real
    case .bools(let vector): vector[row].map { $0 ? .true : .false } ?? .null
    case .instants(let vector): vector[row] == nil ? .null : .text
    case .dates(let vector): vector[row] == nil ? .null : .text
    }
  }

  /// The value at `row`, on its own; not for hot paths.
  public func value(at row: Int) -> Value {
    switch self {
    case .spans(let column):
      let cell = column.cells[row]
      return switch cell.kind {
      case .absent: .absent
      case .null: .null
      case .text: .text(column.buffer.text(cell.range))
      case .escapedText: .text(EscapedText.decoded(column.buffer, cell.range))
      case .integer, .real: .number(column.buffer.text(cell.range))
      case .true: .bool(true)
      case .false: .bool(false)
      case .object, .array: .json(column.buffer.text(cell.range))
      }
    case .ints(let vector): return vector[row].map { .int($0) } ?? .null
    case .doubles(let vector): return vector[row].map { .double($0) } ?? .null
    case .bools(let vector): return vector[row].map { .bool($0) } ?? .null
    case .instants(let vector): return vector[row].map { .instant($0) } ?? .null
    case .dates(let vector): return vector[row].map { .date($0) } ?? .null
    }
  }

  /// A column of `count` rows without any value.
  public static func nulls(_ count: Int, _ cell: Cell = .null) -> Column {
    .spans(SpanColumn(buffer: .empty, cells: Array(repeating: cell, count: count)))
  }

  /// A column of `count` rows that all hold `text`.
  public static func constant(_ text: String, count: Int) -> Column {
    let buffer = ByteBuffer(text)
    let cell = Cell(.text, offset: 0, length: buffer.count)
    return .spans(SpanColumn(buffer: buffer, cells: Array(repeating: cell, count: count)))
  }
}
