internal import AggregateCore

/// One column's cells, appended value by value: for stages that make values of their own.
struct CellBuilder: ~Copyable {
  private var bytes = ByteBuilder()
  private var cells: [Cell] = []

  /// Creates an empty column.
  init() {}

  /// The number of cells so far.
  var count: Int { cells.count }

  /// Appends the bytes that `write` appends as a cell of `kind`.
  @inline(__always)
  mutating func append(_ kind: CellKind, _ write: (inout ByteBuilder) -> Void) {
    let start = bytes.count
    write(&bytes)
    cells.append(Cell(kind, offset: start, length: bytes.count - start))
  }

  /// Appends a cell without bytes.
  mutating func append(_ cell: Cell) { cells.append(Cell(cell.kind)) }

  /// Appends a copy of a cell of `buffer`.
  mutating func append(_ cell: Cell, of buffer: ByteBuffer) {
    append(cell.kind) { $0.append(buffer, cell.range) }
  }

  /// Appends a copy of a cell whose bytes are in `source`.
  mutating func append(_ cell: Cell, of source: UnsafeRawBufferPointer) {
    append(cell.kind) { $0.append(UnsafeRawBufferPointer(rebasing: source[cell.range])) }
  }

  /// Appends a value.
  mutating func append(_ value: Value) {
    switch value {
    case .absent: append(Cell.absent)
    case .null: append(Cell.null)
    case .bool(let value): append(Cell(value ? .true : .false))
    case .int(let value): append(.integer) { $0.append(String(value)) }
    case .double(let value):
      guard value.isFinite else { return append(Cell.null) }
      append(.real) { $0.append(NumberText.shortest(value)) }
    case .number(let text):
      let kind = NumberText.kind(text) ?? .text
      append(kind) { $0.append(text) }
    case .text(let text): append(.text) { $0.append(text) }
    case .instant(let value): append(.text) { ISOText.append(value, into: &$0) }
    case .date(let value): append(.text) { ISOText.append(value, into: &$0) }
    case .json(let text):
      append(text.utf8.first == UInt8(ascii: "[") ? .array : .object) { $0.append(text) }
    }
  }

  /// The column; the builder is used up.
  consuming func finish() -> Column {
    let cells = self.cells
    return .spans(SpanColumn(buffer: bytes.finish(), cells: cells))
  }
}

extension CellBuilder {
  /// Appends a copy of the value of `column` at `row`.
  mutating func append(_ row: Int, of column: Column) {
    if case .spans(let spans) = column {
      append(spans.cells[row], of: spans.buffer)
    } else {
      append(column.value(at: row))
    }
  }
}
