/// Up to some thousands of rows, stored by column: the unit that flows.
public struct Batch: Sendable {
  /// The columns' names and types, in order.
  public let schema: Schema
  /// One column per column of the schema, all of ``rowCount`` rows.
  public let columns: [Column]
  /// The number of rows.
  public let rowCount: Int

  /// How many rows a batch has when nothing else decides.
  public static let defaultRowCount = 4096

  /// Creates a batch; every column must have `rowCount` rows.
  public init(schema: Schema, columns: [Column], rowCount: Int) {
    precondition(columns.count == schema.columns.count)
    precondition(columns.allSatisfy { $0.count == rowCount })
    self.schema = schema
    self.columns = columns
    self.rowCount = rowCount
  }

  /// A batch of `schema` without rows.
  public static func empty(_ schema: Schema) -> Batch {
    Batch(schema: schema, columns: schema.columns.map { _ in .nulls(0) }, rowCount: 0)
  }

  /// The given rows, in the given order.
  public func gathered(_ rows: [Int32]) -> Batch {
    Batch(schema: schema, columns: columns.map { $0.gathered(rows) }, rowCount: rows.count)
  }

  /// The rows of `range`.
  public func sliced(_ range: Range<Int>) -> Batch {
    if range == 0..<rowCount { return self }
    return Batch(schema: schema, columns: columns.map { $0.sliced(range) }, rowCount: range.count)
  }

  /// The same rows under `schema`, which names as many columns.
  public func relabelled(_ schema: Schema) -> Batch {
    Batch(schema: schema, columns: columns, rowCount: rowCount)
  }

  /// The values of row `row`; not for hot paths.
  public func row(_ row: Int) -> [Value] { columns.map { $0.value(at: row) } }
}
