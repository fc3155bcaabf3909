internal import AggregateCore

/// Splits a column's text into several columns.
struct SplitStage: Stage {
  static let spec = StageSpec(
    "split", "Split a column's text into several columns.",
    options: [
      OptionSpec("column", .text, required: true, "The column to split.", example: "name"),
      OptionSpec("by", .text, default: " ", "The text between the parts.", example: "\", \""),
      OptionSpec(
        "into", .list(of: .text, orSingle: true), required: true, "Names for the parts.",
        example: "[first, last]"),
      OptionSpec(
        "keep", .bool, default: "true", "Whether the split column stays.", example: "false"),
    ],
    shorthand: .none, positionals: ["column"],
    discussion: """
      The last name takes all that is left; a part that is not there is null. The parts stand behind \
      the split column and are text.
      """,
    example: "split: { column: name, by: \" \", into: [first, last] }")

  private let name: LocatedText
  private let separator: [UInt8]
  private let into: [LocatedText]
  private let keeps: Bool

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    name = LocatedText(options.text("column") ?? "", at: options.location("column"))
    separator = Array((options.text("by") ?? " ").utf8)
    into = NameList.names(options, "into")
    keeps = options.bool("keep")
    if separator.isEmpty {
      diagnostics.error(
        "empty-separator", "“split.by” is empty", at: options.location("by"),
        hint: "write the text that stands between the parts")
    }
    if into.isEmpty {
      diagnostics.error(
        "empty-list", "“split.into” names no column", at: options.location("into"),
        hint: "name the parts, such as [first, last]")
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let index = try schema.resolveWhole([name])[0]
    var columns = schema.columns
    columns.insert(contentsOf: into.map { ColumnSpec($0.text, .text) }, at: index + 1)
    if !keeps { columns.remove(at: index) }
    return .rows(
      Split(
        output: try schema.replacing(columns, at: into.first?.location), index: index,
        separator: separator, count: into.count, keeps: keeps))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(
      making: Set(into.map(\.text)), output: try bind(schema, sides: [], .forSchemas).output,
      needing: [try schema.resolve(name)], of: schema)
  }

  private struct Split: RowTransform {
    let output: Schema
    let index: Int
    let separator: [UInt8]
    let count: Int
    let keeps: Bool

    func apply(_ batch: Batch) throws -> Batch {
      var parts: [[[UInt8]?]] = Array(repeating: [], count: count)
      for row in 0..<batch.rowCount {
        let value = batch.columns[index].value(at: row)
        var rest = value.isNull ? nil : Array(value.displayText.utf8)[...]
        for part in 0..<count {
          guard let text = rest else {
            parts[part].append(nil)
            continue
          }
          if part < count - 1, let range = text.firstRange(of: separator) {
            parts[part].append(Array(text[..<range.lowerBound]))
            rest = text[range.upperBound...]
          } else {
            parts[part].append(Array(text))
            rest = nil
          }
        }
      }
      var columns = batch.columns
      columns.insert(contentsOf: parts.map(column), at: index + 1)
      if !keeps { columns.remove(at: index) }
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }

    private func column(_ texts: [[UInt8]?]) -> Column {
      var cells = CellBuilder()
      for text in texts {
        if let text { cells.append(.text) { $0.append(text) } } else { cells.append(Cell.null) }
      }
      return cells.finish()
    }
  }
}
