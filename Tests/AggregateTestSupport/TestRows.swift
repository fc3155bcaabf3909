public import AggregateCore

/// Small tables for tests, and what batches hold as plain values.
public enum TestRows {
  /// A batch of columns `names` (`name` or `name:type`) with `rows`.
  public static func batch(_ names: [String], _ rows: [[Value]]) -> Batch {
    let columns = names.map { name -> ColumnSpec in
      let parts = name.split(separator: ":").map(String.init)
      let type = parts.count > 1 ? ValueType(rawValue: parts[1]) ?? .any : .any
      return ColumnSpec(parts[0], type)
    }
    var builder = BatchBuilder(schema: Schema(columns))
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    return builder.finish()
  }

  /// The batch in parts of `size` rows.
  public static func parts(_ batch: Batch, of size: Int) -> [Batch] {
    stride(from: 0, to: batch.rowCount, by: size).map {
      batch.sliced($0..<min($0 + size, batch.rowCount))
    }
  }

  /// The rows of `batches`, each as texts; null shows as `null`, absent as `absent`, text in quotes.
  public static func shown(_ batches: [Batch]) -> [String] {
    batches.flatMap { batch in
      (0..<batch.rowCount).map { row in
        batch.row(row).map(shown).joined(separator: " | ")
      }
    }
  }

  private static func shown(_ value: Value) -> String {
    switch value {
    case .absent: "absent"
    case .null: "null"
    case .text(let text): "“\(text)”"
    case .double(let value) where value == value.rounded() && abs(value) < 1e15:
      String(Int64(value))
    // Computed and read instants and dates are the same value.
    case .instant, .date: "“\(value.displayText)”"
    default: value.displayText
    }
  }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// A real number.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
}
