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
      for the end and come in the order of the rows that stay. Past --max-memory keys go to disk.
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
      return .stream(output: schema) { KeepLastTransform(references, schema, context) }
    }
    return .stream(output: schema) { KeepFirstTransform(references, schema, context) }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    guard names != nil else { return .all }
    return downstream.passing(
      output: schema, needing: try references(in: schema), of: schema)
  }
}

/// Lets rows through as long as their keys fit in memory; further ones wait on disk for the end.
private final class KeepFirstTransform: StreamTransform {
  private let references: [ColumnReference]
  private let schema: Schema
  private let context: StageContext
  private let memory: MemoryShare
  private let encoder: KeyEncoder
  private var table = KeyTable()
  private var later: RowPartitions?
  private var seen: Int64 = 0

  init(_ references: [ColumnReference], _ schema: Schema, _ context: StageContext) {
    self.references = references
    self.schema = schema
    self.context = context
    memory = context.memory.share()
    encoder = KeyEncoder(ascending: references.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keys = encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
    if let later {
      let found = table.find(keys)
      let rows = found.indices.filter { found[$0] < 0 }.map { Int32($0) }
      if !rows.isEmpty {
        try later.append(batch, numbers: batch.numbers(from: seen), keys: keys, rows: rows)
      }
      seen += Int64(batch.rowCount)
      return .more
    }
    let newRows = table.assign(keys).newRows
    if table.byteCount > memory.limit { later = try RowPartitions(schema, context) }
    if newRows.isEmpty { return .more }
    return try emit(newRows.count == batch.rowCount ? batch : batch.gathered(newRows))
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    guard let later else { return }
    table = KeyTable()
    let output = NumberedRows(schema, context)
    for part in 0..<RowPartitions.count {
      let table = KeyTable()
      try later.forEach(part) { batch, numbers in
        let keys = encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
        let rows = table.assign(keys).newRows
        try output.append(batch.gathered(rows), numbers: rows.map { numbers[Int($0)] })
      }
    }
    _ = try output.emit(emit)
  }
}

/// Keeps the last row of each key; past the limit of memory all rows go to disk by key.
private final class KeepLastTransform: StreamTransform {
  private let references: [ColumnReference]
  private let schema: Schema
  private let context: StageContext
  private let memory: MemoryShare
  private let encoder: KeyEncoder
  private var kept: LastRows
  private var parts: RowPartitions?
  private var seen: Int64 = 0

  init(_ references: [ColumnReference], _ schema: Schema, _ context: StageContext) {
    self.references = references
    self.schema = schema
    self.context = context
    memory = context.memory.share()
    encoder = KeyEncoder(ascending: references.count)
    kept = LastRows(schema)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    let keys = try self.keys(batch)
    let numbers = batch.numbers(from: seen)
    seen += Int64(batch.rowCount)
    if let parts {
      try parts.append(batch, numbers: numbers, keys: keys)
    } else {
      kept.add(batch, numbers: numbers, keys: keys)
      if kept.byteCount > memory.limit {
        let parts = try RowPartitions(schema, context)
        try kept.forEach { try parts.append($0, numbers: $1, keys: self.keys($0)) }
        kept = LastRows(schema)
        self.parts = parts
      }
    }
    return .more
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    guard let parts else {
      _ = try kept.emit(emit)
      return
    }
    let output = NumberedRows(schema, context)
    for part in 0..<RowPartitions.count {
      let last = LastRows(schema)
      try parts.forEach(part) { last.add($0, numbers: $1, keys: try keys($0)) }
      try last.forEach { try output.append($0, numbers: $1) }
    }
    _ = try output.emit(emit)
  }

  private func keys(_ batch: Batch) throws -> EncodedKeys {
    encoder.encode(try batch.values(of: references), rowCount: batch.rowCount)
  }
}

/// The last row of each key so far.
private final class LastRows {
  private let schema: Schema
  private let table = KeyTable()
  private let store: RowStore
  private var last: [RowStore.Locator] = []
  private var numbers: [Int64] = []

  init(_ schema: Schema) {
    self.schema = schema
    store = RowStore(columnCount: schema.columns.count)
  }

  var byteCount: Int { table.byteCount + store.byteCount + 16 * last.count }

  func add(_ batch: Batch, numbers more: [Int64], keys: EncodedKeys) {
    let groups = table.assign(keys).groups
    // Of the equal rows of this batch, only the last one need be kept.
    var lastRow: [Int32: Int32] = [:]
    for (row, group) in groups.enumerated() { lastRow[group] = Int32(row) }
    let rows = lastRow.values.sorted()
    let locators = store.append(batch.gathered(rows))
    let added = table.count - last.count
    last += Array(repeating: 0, count: added)
    numbers += Array(repeating: 0, count: added)
    for (row, locator) in zip(rows, locators) {
      last[Int(groups[Int(row)])] = locator
      numbers[Int(groups[Int(row)])] = more[Int(row)]
    }
  }

  /// Emits the rows in the order in which they came.
  func emit(_ emit: (Batch) throws -> Demand) throws -> Demand {
    // Locators grow in the order in which rows were added.
    try store.emit(last.sorted(), schema: schema, emit)
  }

  /// Calls `body` with the rows in the order in which they came, and their numbers.
  func forEach(_ body: (Batch, [Int64]) throws -> Void) throws {
    var rest = numbers.sorted()[...]
    _ = try emit { batch in
      try body(batch, Array(rest.prefix(batch.rowCount)))
      rest = rest.dropFirst(batch.rowCount)
      return .more
    }
  }
}
