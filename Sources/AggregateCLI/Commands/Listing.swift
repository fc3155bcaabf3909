import AggregateCore
import AggregateRun

/// Text that commands such as `list` and `show` put on standard output.
enum Listing {
  /// Writes `text` to standard output.
  ///
  /// - Throws: ``AggregateError`` with code `output` when that fails.
  static func print(_ text: String) throws {
    let output = try StandardOutput()
    var text = text
    _ = try text.withUTF8 { try output.write(UnsafeRawBufferPointer($0)) }
  }

  /// Writes names and summaries: aligned, or as a JSON array of `{name, summary}`.
  static func print(_ rows: [(name: String, summary: String)], json: Bool) throws {
    if json {
      let items = rows.map {
        "{\"name\":\(EscapedText.quoted($0.name)),\"summary\":\(EscapedText.quoted($0.summary))}"
      }
      try print("[" + items.joined(separator: ",\n ") + "]\n")
      return
    }
    let width = rows.map(\.name.count).max() ?? 0
    try print(
      rows.map { row in
        let gap = String(repeating: " ", count: width - row.name.count + 2)
        return (row.name + gap + row.summary).trimmedEnd + "\n"
      }.joined())
  }
}
