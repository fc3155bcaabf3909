public import AggregateCore

/// Writes a table of GitHub Flavored Markdown.
public final class MarkdownWriter: Writer {
  static let spec = FormatSpec(
    "markdown", "A table of GitHub Flavored Markdown.", extensions: ["md", "markdown"],
    isFlat: true, writing: .writer { _ in MarkdownWriter() })

  private var names: [String] = []
  private var numeric = NumericColumns(Schema([]))
  private var waiting: [Batch] = []
  private var hasHeader = false

  /// Creates a writer.
  public init() {}

  /// Remembers the names; the header waits for the first rows, which tell where numbers are.
  public func begin(_ schema: Schema, into out: inout ByteBuilder) throws {
    names = schema.names
    numeric = NumericColumns(schema)
  }

  /// Appends the rows of `batch`.
  public func write(_ batch: Batch, into out: inout ByteBuilder) throws {
    if batch.rowCount == 0 || names.isEmpty { return }
    if hasHeader { return rows(of: batch, into: &out) }
    numeric.learn(batch)
    waiting.append(batch)
    if numeric.isComplete { header(into: &out) }
  }

  private func rows(of batch: Batch, into out: inout ByteBuilder) {
    for row in 0..<batch.rowCount {
      line(batch.columns.map { $0.value(at: row).displayText }, into: &out)
    }
  }

  /// Appends the rows that waited; the header alone when there are none.
  public func finish(into out: inout ByteBuilder) throws {
    if !hasHeader && !names.isEmpty { header(into: &out) }
  }

  private func header(into out: inout ByteBuilder) {
    hasHeader = true
    line(names, into: &out)
    let rule = numeric.flags.map { $0 ? "---:" : "---" }
    out.append("| " + rule.joined(separator: " | ") + " |\n")
    for batch in waiting { rows(of: batch, into: &out) }
    waiting = []
  }

  private func line(_ cells: [String], into out: inout ByteBuilder) {
    out.append("| " + cells.map(Self.escaped).joined(separator: " | ") + " |\n")
  }

  /// Text in a cell: what would end the cell or begin markup of HTML is escaped.
  static func escaped(_ text: String) -> String {
    var out = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "|": out += "\\|"
      case "\\": out += "\\\\"
      case "<": out += "&lt;"
      case "&": out += "&amp;"
      case "\r": out += "<br>"
      case "\n": out += previous == "\r" ? "" : "<br>"
      default: out.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return out
  }
}
