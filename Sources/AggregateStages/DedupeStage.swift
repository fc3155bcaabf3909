internal import AggregateCore

/// Keeps one row of those that are equal.
struct DedupeStage: Stage {
  static let spec = StageSpec(
    "dedupe", "Keep one row of those with equal values in some columns, or in all.",
    options: [
      OptionSpec(
        "by", .list(of: .text, orSingle: true), "Names of columns; without them, whole rows.",
        example: "[url]"),
      OptionSpec(
        "keep", .choice(["first", "last"]), default: "first", "Which of the equal rows stays.",
        example: "last"),
    ],
    shorthand: .value("by"),
    discussion: """
      Null is a value like any other, and absent is null. 1 and 1.0 are the same number; the text \
      "1" is not a number. With `keep: first` rows flow on as they come; with `keep: last` they wait \
      for the end and come in the order of the rows that stay.
      """,
    example: "dedupe: { by: [url], keep: last }")

  private let names: [LocatedText]?
  private let keepsLast: Bool

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    names = options.given("by").map { NameList.names(of: $0) }
    keepsLast = options.text("keep") == "last"
  }

  private func references(in schema: Schema) throws -> [ColumnReference] {
    try names.map { try schema.resolve($0) }
      ?? schema.columns.indices.map { ColumnReference(index: $0) }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let references = try references(in: schema)
    if keepsLast {
      return .stream(output: schema) { KeepLastTransform(references, schema) }
    }
    return .stream(output: schema) { KeepFirstTransform(references) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    guard names != nil else { return .all }
    return downstream.passing(
      output: schema, needing: try references(in: schema), of: schema)
  }
}

private final class KeepFirstTransform: StreamTransform {
  private let references: [ColumnReference]
  private let encoder: KeyEncoder
  private let table = KeyTable()

  init(_ references: [ColumnReference]) {
    self.references = references
    encoder = KeyEncoder(ascending: references.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keys = encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
    let newRows = table.assign(keys).newRows
    if newRows.isEmpty { return .more }
    return try emit(newRows.count == batch.rowCount ? batch : batch.gathered(newRows))
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {}
}

private final class KeepLastTransform: StreamTransform {
  private let references: [ColumnReference]
  private let schema: Schema
  private let encoder: KeyEncoder
  private let table = KeyTable()
  private let store: RowStore
  private var last: [RowStore.Locator] = []

  init(_ references: [ColumnReference], _ schema: Schema) {
    self.references = references
    self.schema = schema
    encoder = KeyEncoder(ascending: references.count)
    store = RowStore(columnCount: schema.columns.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keys = encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
    let groups = table.assign(keys).groups
    // Of the equal rows of this batch, only the last one need be kept.
    var lastRow: [Int32: Int32] = [:]
    for (row, group) in groups.enumerated() { lastRow[group] = Int32(row) }
    let rows = lastRow.values.sorted()
    let locators = store.append(batch.gathered(rows))
    last += Array(repeating: 0, count: table.count - last.count)
    for (row, locator) in zip(rows, locators) { last[Int(groups[Int(row)])] = locator }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    // Locators grow in the order in which rows were added.
    _ = try store.emit(last.sorted(), schema: schema, emit)
  }
}
