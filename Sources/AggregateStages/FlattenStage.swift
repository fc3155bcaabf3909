internal import AggregateCore

/// Turns nested objects into columns of their own.
struct FlattenStage: Stage {
  static let spec = StageSpec(
    "flatten", "Turn nested objects into columns named by their paths, such as city.name.",
    options: [
      OptionSpec(
        "lists", .choice(["keep", "index"]), default: "keep",
        "Whether lists stay lists, or each element becomes a column too (tags.0).",
        example: "index"),
      OptionSpec(
        "sample", .int(1...Int.max), default: "10000",
        "How many rows are looked at for the columns.", example: "100000"),
    ],
    shorthand: .none,
    discussion: """
      The columns of an object stand where it stood. A dot inside a key is written \\. so that different \
      paths have different names; unflatten undoes it. A value that appears only after the sample, in \
      a place that none before had, goes where late fields go: into json and ndjson as it is, while \
      other formats do what on_new_column says. Where the input has no late fields it is an error.
      """,
    example: "flatten: {}")

  private let indexesLists: Bool
  private let sample: Int

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    indexesLists = options.text("lists") == "index"
    sample = options.int("sample") ?? 10_000
  }

  var findsSchema: Bool { true }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [indexesLists, sample] in
      FlattenTransform(schema, Flattening(indexesLists: indexesLists), sample: sample)
    }
  }
}

private final class FlattenTransform: StreamTransform {
  private let schema: Schema
  private let flattening: Flattening
  private let sample: Int
  private var waiting: [Batch] = []
  private var seen = 0
  /// For each input column, the paths inside it that come out, in order.
  private var layout: [[[String]]] = []
  private var output: Schema?

  init(_ schema: Schema, _ flattening: Flattening, sample: Int) {
    self.schema = schema
    self.flattening = flattening
    self.sample = sample
    layout = schema.columns.map { _ in [] }
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if let output { return try emit(flattened(batch, output)) }
    look(batch.sliced(0..<min(batch.rowCount, sample - seen)))
    waiting.append(batch)
    seen += batch.rowCount
    return seen >= sample ? try release(emit) : .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    guard output == nil else { return }
    let isEmpty = waiting.isEmpty
    if try release(emit) == .more, isEmpty, let output { _ = try emit(.empty(output)) }
  }

  private func isOverflow(_ index: Int) -> Bool {
    schema.isOpen && index == schema.columns.count - 1
  }

  private func look(_ batch: Batch) {
    // Elements of lists are found column by column; row by row, their order does not depend on batches.
    if flattening.indexesLists && batch.rowCount > 1 {
      for row in 0..<batch.rowCount { look(batch.sliced(row..<row + 1)) }
      return
    }
    for (index, column) in batch.columns.enumerated() where !isOverflow(index) {
      for leaf in flattening.leaves(of: column) where !layout[index].contains(leaf.path) {
        layout[index].append(leaf.path)
      }
    }
  }

  private func release(_ emit: (Batch) throws -> Demand) throws -> Demand {
    var columns: [ColumnSpec] = []
    for (index, column) in schema.columns.enumerated() {
      let isPlain = layout[index].isEmpty || layout[index] == [[]]
      if isPlain { layout[index] = [[]] }
      // The value itself comes before what is inside it.
      layout[index].sort { a, b in a.isEmpty && !b.isEmpty }
      let base = column.path?.elements ?? ColumnPath(text: column.name).elements
      for path in layout[index] {
        let whole = ColumnPath(base + path)
        var named = path.isEmpty ? column : ColumnSpec("", .any)
        named.name = whole.description
        named.path = whole
        columns.append(named)
      }
    }
    let output = try schema.replacing(columns, at: nil)
    self.output = output
    for batch in waiting {
      if try emit(flattened(batch, output)) == .enough { return .enough }
    }
    waiting = []
    return .more
  }

  private func flattened(_ batch: Batch, _ output: Schema) throws -> Batch {
    var columns: [Column] = []
    var late: [(name: String, column: Column)] = []
    for (index, column) in batch.columns.enumerated() {
      if isOverflow(index) {
        let members = OverflowMerging.objects(late, rowCount: batch.rowCount)
        columns.append(OverflowMerging.merged(column, members))
        continue
      }
      let leaves = flattening.leaves(of: column)
      for leaf in leaves where !layout[index].contains(leaf.path) {
        let path = ColumnPath([schema.columns[index].name] + leaf.path)
        if schema.isOpen {
          late.append((path.description, leaf.column))
          continue
        }
        throw AggregateError(
          .badData, "flatten: “\(path)” appears only after the first \(sample) rows",
          hint:
            "look at more rows: flatten: { sample: \(sample.multipliedReportingOverflow(by: 10).partialValue) }"
        )
      }
      for path in layout[index] {
        columns.append(
          leaves.first { $0.path == path }?.column ?? .nulls(batch.rowCount, .absent))
      }
    }
    return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
  }
}
