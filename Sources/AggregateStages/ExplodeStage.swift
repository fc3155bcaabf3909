internal import AggregateCore

/// Makes a row of each element of a list.
struct ExplodeStage: Stage {
  static let spec = StageSpec(
    "explode", "Make a row of each element of a list; the other values are repeated.",
    options: [
      OptionSpec("column", .text, required: true, "The column with the lists.", example: "tags"),
      OptionSpec(
        "keep_empty", .bool, default: "true",
        "Whether a row with null or an empty list stays, with null.", example: "false"),
    ],
    shorthand: .value("column"), positionals: ["column"],
    discussion: """
      A value that is no list stays as it is. A path (user.tags) leads to a list inside a nested \
      column; its elements make a column of that name.
      """,
    example: "explode: tags")

  private let name: LocatedText
  private let keepsEmpty: Bool

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    name = LocatedText(options.text("column") ?? "", at: options.location("column"))
    keepsEmpty = options.bool("keep_empty")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let reference = try schema.resolve(name)
    var columns = schema.columns
    var target = reference.index
    if reference.subpath.isEmpty {
      columns[target].type = .any
    } else {
      target = schema.endOfOwnColumns
      columns.insert(columns[reference.index].picked(reference, as: nil), at: target)
    }
    let output = try schema.replacing(columns, at: name.location)
    return .rows(
      Explode(output: output, reference: reference, target: target, keepsEmpty: keepsEmpty))
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    guard case .paths = downstream else { return .all }
    let reference = try schema.resolve(name)
    let made: Set<String> =
      reference.subpath.isEmpty
      ? [schema.columns[reference.index].name]
      : [schema.columns[reference.index].picked(reference, as: nil).name]
    let output = try bind(schema, sides: [], .forSchemas).output
    return downstream.passing(making: made, output: output, needing: [reference], of: schema)
  }

  private struct Explode: RowTransform {
    let output: Schema
    let reference: ColumnReference
    let target: Int
    let keepsEmpty: Bool

    func apply(_ batch: Batch) throws -> Batch {
      let lists = try batch.values(of: reference)
      var rows: [Int32] = []
      let elements: Column
      if case .spans(let spans) = lists {
        var cells: [Cell] = []
        spans.withCells { bytes, lists in
          for row in lists.indices {
            let before = cells.count
            switch lists[row].kind {
            case .array: ArrayElements.forEach(bytes, lists[row].range) { cells.append($0) }
            case .absent, .null: break
            default: cells.append(lists[row])
            }
            if cells.count == before && keepsEmpty { cells.append(.null) }
            rows.append(contentsOf: repeatElement(Int32(row), count: cells.count - before))
          }
        }
        elements = .spans(SpanColumn(buffer: spans.buffer, cells: cells))
      } else {
        rows = (0..<batch.rowCount).filter { keepsEmpty || !lists.kind(at: $0).isNull }
          .map { Int32($0) }
        elements = lists.gathered(rows)
      }
      var columns = batch.gathered(rows).columns
      if reference.subpath.isEmpty {
        columns[target] = elements
      } else {
        columns.insert(elements, at: target)
      }
      return Batch(schema: output, columns: columns, rowCount: rows.count)
    }
  }
}
