public import AggregateCore

/// Writes an aligned table for people: a header, a rule, numbers to the right.
///
/// Widths are learned from the first ``learnedRows`` rows; later rows are written as they come, so
/// memory stays bounded. On a terminal the widest columns are cut until a row fits.
public final class TableWriter: Writer {
  static let spec = FormatSpec(
    "table", "An aligned table for the terminal.", extensions: ["txt"], isFlat: true,
    writing: .writer { TableWriter($0.style) })

  /// How many rows decide the widths.
  public static let learnedRows = NumericColumns.learnedRows

  private let style: TerminalStyle
  private var names: [String] = []
  private var waiting: [[String]] = []
  private var numeric = NumericColumns(Schema([]))
  private var isRight: [Bool] = []
  private var widths: [Int]?

  /// Creates a writer.
  public init(_ style: TerminalStyle = TerminalStyle()) { self.style = style }

  /// Remembers the names; nothing is written before the widths are known.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    names = schema.names.map(DisplayWidth.visible)
    numeric = NumericColumns(schema)
  }

  /// Appends the rows of `batch`, or keeps them while the widths are being learned.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.rowCount == 0 || names.isEmpty { return }
    let rows = DisplayRows.texts(batch)
    if widths != nil {
      for row in rows { append(row, into: &out) }
      return
    }
    numeric.learn(batch)
    waiting += rows
    if waiting.count >= Self.learnedRows { writeLearned(into: &out) }
  }

  /// Appends what was kept; a table without rows is its header.
  public func finish(into out: inout ByteBuilder) throws {
    if widths == nil && !names.isEmpty { writeLearned(into: &out) }
  }

  private func writeLearned(into out: inout ByteBuilder) {
    var found = names.map(DisplayWidth.of)
    isRight = numeric.flags
    for row in waiting.prefix(Self.learnedRows) {
      for (index, cell) in row.enumerated() {
        found[index] = max(found[index], DisplayWidth.of(cell))
      }
    }
    let fitted = fit(found)
    widths = fitted
    out.append(line(names, fitted, isHeader: true))
    out.append(style.dim(fitted.map { String(repeating: "─", count: $0) }.joined(separator: "  ")))
    out.append(10)
    for row in waiting { append(row, into: &out) }
    waiting = []
  }

  /// The widths, the widest cut until all fit the terminal; none below four columns.
  private func fit(_ widths: [Int]) -> [Int] {
    guard let total = style.width else { return widths }
    var widths = widths
    var over = widths.reduce(0, +) + 2 * (widths.count - 1) - total
    while over > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 4
    {
      // Down to the second widest at once, so that wide tables do not take long.
      let next = widths.filter { $0 < widths[widest] }.max() ?? 4
      let cut = min(over, widths[widest] - max(4, min(next, widths[widest] - 1)))
      widths[widest] -= max(1, cut)
      over -= max(1, cut)
    }
    return widths
  }

  private func append(_ row: [String], into out: inout ByteBuilder) {
    if let widths { out.append(line(row, widths, isHeader: false)) }
  }

  private func line(_ cells: [String], _ widths: [Int], isHeader: Bool) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { line += "  " }
      let shown =
        style.width == nil ? cell : DisplayWidth.truncated(cell, to: widths[index])
      let right = isRight[index]
      let isLast = index == cells.count - 1 && !right
      let padded = isLast ? shown : DisplayWidth.padded(shown, to: widths[index], right: right)
      line += isHeader ? style.bold(padded) : padded
    }
    while !isHeader && line.hasSuffix(" ") { line.removeLast() }
    return line + "\n"
  }
}
