internal import AggregateCore

/// Makes a column of cells that mostly stay where they are: bytes are copied only once one changes.
struct CellRewriter: ~Copyable {
  private let source: ByteBuffer
  private var cells: [Cell] = []
  private var bytes = ByteBuilder(capacity: 64)
  private var hasMoved = false

  init(_ source: ByteBuffer, count: Int) {
    self.source = source
    cells.reserveCapacity(count)
  }

  /// Appends a cell of the source.
  mutating func keep(_ cell: Cell) {
    guard hasMoved, cell.length > 0 else {
      cells.append(hasMoved ? Cell(cell.kind) : cell)
      return
    }
    let start = bytes.count
    bytes.append(source, cell.range)
    cells.append(Cell(cell.kind, offset: start, length: cell.length))
  }

  /// Appends a cell of the source as another kind.
  mutating func keep(_ cell: Cell, as kind: CellKind) {
    keep(Cell(kind, offset: cell.offset, length: cell.length))
  }

  /// Appends a cell with text of its own.
  mutating func write(_ kind: CellKind, _ text: String) {
    if !hasMoved { move() }
    let start = bytes.count
    bytes.append(text)
    cells.append(Cell(kind, offset: start, length: bytes.count - start))
  }

  private mutating func move() {
    hasMoved = true
    for index in cells.indices {
      let cell = cells[index]
      let start = bytes.count
      bytes.append(source, cell.range)
      cells[index] = Cell(cell.kind, offset: start, length: cell.length)
    }
  }

  /// The column.
  consuming func finish() -> SpanColumn {
    let cells = self.cells
    if !hasMoved { return SpanColumn(buffer: source, cells: cells) }
    return SpanColumn(buffer: bytes.finish(), cells: cells)
  }
}
