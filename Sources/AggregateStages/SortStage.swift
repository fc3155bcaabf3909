internal import AggregateCore

/// Sorts rows by columns.
struct SortStage: Stage {
  static let spec = StageSpec(
    "sort", "Sort the rows by columns; rows that compare equal keep their order.",
    options: [
      OptionSpec(
        "by", .list(of: .text, orSingle: true), required: true,
        "Names of columns, the most important first; a leading - sorts larger values first.",
        example: "[-temp, city]")
    ],
    shorthand: .value("by"), positionals: ["by"],
    discussion: """
      Numbers compare by value, text by its UTF-8 bytes. Where a column mixes types, booleans come \
      first, then numbers, text, and nested values. Nulls come last in both directions. Rows past \
      --max-memory are sorted in parts on disk and merged.
      """,
    example: "sort: [-temp, city]")

  private let keys: [SortKey]

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    keys = SortKey.keys(options, "by")
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let resolved = try keys.map { try $0.resolve(in: schema) }
    return .stream(output: schema) {
      SortTransform(
        RowSorter(schema: schema, context), resolved.map(\.reference),
        KeyEncoder(descending: resolved.map(\.descending)))
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    downstream.passing(
      output: schema, needing: try keys.map { try $0.resolve(in: schema).reference }, of: schema)
  }
}

private final class SortTransform: StreamTransform {
  private let sorter: RowSorter
  private let references: [ColumnReference]
  private let encoder: KeyEncoder

  init(_ sorter: RowSorter, _ references: [ColumnReference], _ encoder: KeyEncoder) {
    self.sorter = sorter
    self.references = references
    self.encoder = encoder
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keys = encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
    try sorter.append(batch, keys: keys)
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    _ = try sorter.emit(emit)
  }
}
