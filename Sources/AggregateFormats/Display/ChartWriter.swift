public import AggregateCore

/// Draws bars: the first column without numbers labels them, the first with numbers gives their length.
///
/// At most ``maximumBars`` rows are drawn; how many there were beyond is told below.
public final class ChartWriter: Writer {
  static let spec = FormatSpec(
    "chart", "Bars in the terminal: the first text column against the first numeric one.",
    extensions: [], isFlat: true, writing: .writer { ChartWriter($0.style) })

  /// How many bars are drawn.
  public static let maximumBars = 1000
  private static let blocks = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  private let style: TerminalStyle
  private var names: [String] = []
  private var kept: [Batch] = []
  private var rowCount = 0

  /// Creates a writer.
  public init(_ style: TerminalStyle = TerminalStyle()) { self.style = style }

  /// Remembers the names.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    names = schema.names
  }

  /// Keeps the rows of `batch`, as far as they will be drawn.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    let room = Self.maximumBars - min(rowCount, Self.maximumBars)
    if room > 0 && batch.rowCount > 0 { kept.append(batch.sliced(0..<min(room, batch.rowCount))) }
    rowCount += batch.rowCount
  }

  /// Draws the bars.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there are rows and no column of numbers.
  public func finish(into out: inout ByteBuilder) throws {
    if rowCount == 0 { return }
    let numeric = names.indices.map { index in
      kept.contains { DisplayRows.isNumeric($0.columns[index]) }
        && kept.allSatisfy { batch in
          let column = batch.columns[index]
          return DisplayRows.isNumeric(column)
            || (0..<column.count).allSatisfy { column.kind(at: $0).isNull }
        }
    }
    guard let value = numeric.firstIndex(of: true) else {
      throw AggregateError(
        .configuration,
        "a chart needs a column of numbers, and none of these is one: "
          + names.joined(separator: ", "),
        hint: "select the label and the number: --select label,value")
    }
    let label = numeric.firstIndex(of: false)
    let rows = kept.flatMap { batch in
      (0..<batch.rowCount).map { row in
        Bar(
          label: label.map {
            DisplayWidth.visible(batch.columns[$0].value(at: row).displayText)
          } ?? "",
          text: batch.columns[value].value(at: row).displayText)
      }
    }
    draw(rows, name: names[value], into: &out)
    if rowCount > rows.count { out.append("… \(rowCount - rows.count) further rows\n") }
  }

  private struct Bar {
    let label: String
    let text: String

    /// The number, kept to a size whose differences are finite.
    var value: Double {
      let number = Double(text) ?? 0
      return number.isNaN ? 0 : max(-1e300, min(1e300, number))
    }
  }

  private func draw(_ bars: [Bar], name: String, into out: inout ByteBuilder) {
    let total = style.width ?? 80
    let labelWidth = min(bars.map { DisplayWidth.of($0.label) }.max() ?? 0, max(8, total / 3))
    let textWidth = bars.map { DisplayWidth.of($0.text) }.max() ?? 0
    let room = max(10, total - labelWidth - textWidth - 4)
    let least = min(0, bars.map(\.value).min() ?? 0)
    let most = max(0, bars.map(\.value).max() ?? 0)
    let span = most > least ? most - least : 1
    let negative = Int((-least / span * Double(room)).rounded(.up))
    out.append(style.bold(DisplayWidth.padded("", to: labelWidth) + "  " + name) + "\n")
    for bar in bars {
      let label = DisplayWidth.padded(
        DisplayWidth.truncated(bar.label, to: labelWidth), to: labelWidth)
      let value = bar.value
      let length = abs(value) / span * Double(room)
      let drawn =
        value < 0
        ? DisplayWidth.padded(
          String(repeating: "█", count: min(negative, Int(length.rounded()))), to: negative,
          right: true)
        : String(repeating: " ", count: negative) + Self.line(length)
      out.append("\(label)  \(drawn) \(bar.text)\n")
    }
  }

  /// A bar of `length` columns, to an eighth.
  private static func line(_ length: Double) -> String {
    let eighths = Int((length * 8).rounded())
    return String(repeating: "█", count: eighths / 8) + blocks[eighths % 8]
  }
}
