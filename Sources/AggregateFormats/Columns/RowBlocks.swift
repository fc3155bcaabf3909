internal import AggregateCore

/// The cells of a batch row by row, in blocks small enough for the nearest cache.
///
/// Encoders write rows while batches hold columns; turning a block at a time keeps both sides
/// sequential, and the pass that turns it also finds how much room the block can need.
struct RowBlocks {
  private static let rows = 128

  /// Rows side by side: cell `row * columnCount + column`.
  struct Block {
    /// The first cell.
    let cells: UnsafePointer<Cell>
    /// Where each column's bytes begin.
    let bases: UnsafePointer<UnsafeRawPointer>
    let rowCount: Int
    let columnCount: Int
    /// The number of bytes of all cells together.
    let byteCount: Int
  }

  let columns: [SpanColumn]
  let rowCount: Int

  /// The rows of `batch`, computed columns written out.
  init(_ batch: Batch, decodingEscapes: Bool, nonFinite: Bool = true) {
    columns = batch.columns.map {
      Rendering.cells($0, decodingEscapes: decodingEscapes, nonFinite: nonFinite)
    }
    rowCount = batch.rowCount
  }

  /// Calls `body` for one block after the other; its pointers must not leave it.
  func forEach(_ body: (Block) throws -> Void) rethrows {
    let width = columns.count
    if rowCount == 0 { return }
    let step = max(1, min(Self.rows, 65_536 / max(1, width)))
    let turned = UnsafeMutablePointer<Cell>.allocate(capacity: max(1, step * width))
    let bases = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: max(1, width))
    defer {
      turned.deallocate()
      bases.deallocate()
    }
    // `columns` keeps the buffers alive while the pointers are used.
    try withExtendedLifetime(columns) {
      for (index, column) in columns.enumerated() {
        column.buffer.withUnsafeBytes { bytes in
          let nowhere = UnsafeRawPointer(bases)
          (bases + index).initialize(to: bytes.baseAddress ?? nowhere)
        }
      }
      var start = 0
      while start < rowCount {
        let count = min(step, rowCount - start)
        var total = 0
        for (index, column) in columns.enumerated() {
          total += Self.turn(column, start, count, into: turned + index, stride: width)
        }
        try body(
          Block(
            cells: turned, bases: bases, rowCount: count, columnCount: width, byteCount: total))
        start += count
      }
    }
  }

  /// Copies `count` cells of a column to every `stride`-th place; gives the length of them together.
  private static func turn(
    _ column: SpanColumn, _ start: Int, _ count: Int, into target: UnsafeMutablePointer<Cell>,
    stride: Int
  ) -> Int {
    column.withCells { bytes, cells in
      precondition(start + count <= cells.count)
      var total = 0
      var furthest = 0
      for row in 0..<count {
        let cell = cells[start &+ row]
        (target + row &* stride).initialize(to: cell)
        total &+= cell.length
        furthest = max(furthest, cell.offset &+ cell.length)
      }
      precondition(furthest <= bytes.count, "a cell lies outside its buffer")
      return total
    }
  }
}
