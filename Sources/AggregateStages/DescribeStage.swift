internal import AggregateCore

/// Says what each column holds.
struct DescribeStage: Stage {
  static let spec = StageSpec(
    "describe", "Give one row per column: its types, how many values, nulls, and the range.",
    options: [],
    shorthand: .none,
    discussion: """
      The columns are column, type (what the values were read as), count (values that are not null), \
      nulls (null or absent), distinct, min, max and mean (of the numbers).
      """,
    example: "describe: {}")

  init(_ options: Options, _ diagnostics: inout Diagnostics) {}

  private static let output = Schema([
    ColumnSpec("column", .text), ColumnSpec("type", .text), ColumnSpec("count", .int),
    ColumnSpec("nulls", .int), ColumnSpec("distinct", .int), ColumnSpec("min"), ColumnSpec("max"),
    ColumnSpec("mean", .number),
  ])

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: Self.output) { DescribeTransform(schema, Self.output) }
  }
}

private final class DescribeTransform: StreamTransform {
  private struct Summary {
    var kinds: Set<String> = []
    var count = 0
    var nulls = 0
    var least: (key: [UInt8], value: Value)?
    var greatest: (key: [UInt8], value: Value)?
    var sum = 0.0
    var numbers = 0
    let distinct = KeyTable()
  }

  private let schema: Schema
  private let output: Schema
  private var summaries: [Summary]

  init(_ schema: Schema, _ output: Schema) {
    self.schema = schema
    self.output = output
    summaries = schema.columns.map { _ in Summary() }
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    for (index, column) in batch.columns.enumerated() { add(column, to: &summaries[index]) }
    return .more
  }

  private func add(_ column: Column, to summary: inout Summary) {
    let keys = KeyEncoder(ascending: 1).encode([column], rowCount: column.count)
    let newRows = summary.distinct.assign(keys).newRows
    for row in newRows where !column.kind(at: Int(row)).isNull {
      let key = keys.withKey(Int(row)) { Array($0) }
      if summary.least.map({ precedes(key, $0.key) }) ?? true {
        summary.least = (key, column.value(at: Int(row)))
      }
      if summary.greatest.map({ precedes($0.key, key) }) ?? true {
        summary.greatest = (key, column.value(at: Int(row)))
      }
    }
    for row in 0..<column.count {
      let kind = column.kind(at: row)
      if kind.isNull {
        summary.nulls += 1
        continue
      }
      summary.count += 1
      summary.kinds.insert(Self.name(kind, of: column))
      if kind.isNumber, let number = Double(column.value(at: row).displayText) {
        summary.sum += number
        summary.numbers += 1
      }
    }
  }

  private func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.withUnsafeBytes { a in b.withUnsafeBytes { KeyOrder.precedes(a, $0) } }
  }

  private static func name(_ kind: CellKind, of column: Column) -> String {
    switch column {
    case .instants: "instant"
    case .dates: "date"
    default:
      switch kind {
      case .absent, .null: "null"
      case .text, .escapedText: "text"
      case .integer: "int"
      case .real: "number"
      case .true, .false: "bool"
      case .object: "json"
      case .array: "list"
      }
    }
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    var builder = BatchBuilder(schema: output)
    for (index, column) in schema.columns.enumerated() {
      let summary = summaries[index]
      // The overflow column is one only when something overflowed.
      if schema.isOpen && index == schema.columns.count - 1 && summary.count == 0 { continue }
      var kinds = summary.kinds
      if kinds.contains("number") { kinds.remove("int") }
      builder.append(column.name)
      builder.append(kinds.isEmpty ? "null" : kinds.sorted().joined(separator: " or "))
      builder.append(summary.count)
      builder.append(summary.nulls)
      builder.append(summary.distinct.count - (summary.nulls > 0 ? 1 : 0))
      builder.append(summary.least?.value ?? .null)
      builder.append(summary.greatest?.value ?? .null)
      builder.append(summary.numbers > 0 ? summary.sum / Double(summary.numbers) : nil)
      builder.endRow()
    }
    _ = try emit(builder.finish())
  }
}
