public import AggregateCore

/// Writes one line per value, row under row: for rows that are wider than a terminal.
public final class VerticalWriter: Writer {
  static let spec = FormatSpec(
    "vertical", "A line per value, row under row.", extensions: [], isFlat: true,
    writing: .writer { VerticalWriter($0.style) })

  private let style: TerminalStyle
  private var names: [(plain: String, padded: String)] = []
  private var number = 0

  /// Creates a writer.
  public init(_ style: TerminalStyle = TerminalStyle()) { self.style = style }

  /// Remembers the names.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    let shown = schema.names.map(DisplayWidth.visible)
    let width = shown.map(DisplayWidth.of).max() ?? 0
    names = shown.map { ($0, DisplayWidth.padded($0, to: width)) }
  }

  /// Appends the rows of `batch`.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    for row in DisplayRows.texts(batch) {
      number += 1
      out.append(style.dim("── row \(number) ──") + "\n")
      for (name, text) in zip(names, row) {
        out.append(
          text.isEmpty ? style.bold(name.plain) + "\n" : style.bold(name.padded) + "  \(text)\n")
      }
    }
  }

  /// Nothing.
  public func finish(into out: inout ByteBuilder) throws {}
}
