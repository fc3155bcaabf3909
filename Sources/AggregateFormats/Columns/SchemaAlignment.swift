public import AggregateCore

/// Brings rows of different schemas under one, matching columns by name.
public struct SchemaAlignment: Sendable {
  /// The common schema.
  public let output: Schema

  /// The union of `schemas`: columns in the order first seen; open when one of them is.
  ///
  /// A type that differs becomes `any`.
  public init(union schemas: [Schema]) {
    var columns: [ColumnSpec] = []
    var indexes: [String: Int] = [:]
    let isOpen = schemas.contains(where: \.isOpen)
    for schema in schemas {
      let named = schema.isOpen ? schema.columns.dropLast() : schema.columns[...]
      for column in named where !(isOpen && column.name == Schema.overflowName) {
        if let index = indexes[column.name] {
          if columns[index].type != column.type { columns[index].type = .any }
        } else {
          indexes[column.name] = columns.count
          columns.append(column)
        }
      }
    }
    if isOpen {
      columns.append(
        ColumnSpec(
          Schema.overflowName, .json,
          description: "The fields that the schema does not name, as a JSON object."))
    }
    output = Schema(columns, isOpen: isOpen)
  }

  /// The rows of `batch` under the common schema; columns that it does not have are absent.
  public func apply(_ batch: Batch) -> Batch {
    if batch.schema == output { return batch.relabelled(output) }
    let columns = output.columns.map { column -> Column in
      guard let index = batch.schema.index(of: column.name) else {
        return .nulls(batch.rowCount, .absent)
      }
      return batch.columns[index]
    }
    return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
  }

  /// The same work, its rows brought under the common schema.
  public func apply(_ work: Work) -> Work {
    switch work {
    case .batch(let batch): return .batch(apply(batch))
    case .deferred(let decode):
      return .deferred {
        var decoded = decode()
        decoded.batches = decoded.batches.map(apply)
        return decoded
      }
    }
  }
}
