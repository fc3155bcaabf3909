internal import AggregateCore
internal import AggregateJSON

/// Makes the wanted columns of JSON records: all, those that are demanded, or those that were declared.
struct JSONRows {
  /// Reads the records.
  let reader: JSONRecordReader
  private let search: ColumnSelection?

  /// Creates what reads records of `schema`, or the columns of `selection`.
  init(_ schema: Schema, _ selection: ColumnSelection?, _ demand: ColumnDemand) {
    if let selection {
      let direct = selection.reader
      reader = direct ?? JSONRecordReader(schema: Schema([ColumnSpec("record")]), paths: [[]])
      search = direct == nil ? selection : nil
    } else {
      reader = JSONRecordReader(schema: Self.projected(schema, demand))
      search = nil
    }
  }

  /// The rows that a batch of the reader stands for.
  func finished(_ batch: Batch) throws -> Batch {
    guard let search, case .spans(let records) = batch.columns[0] else { return batch }
    return try search.searched(in: records)
  }

  /// The columns that `demand` asks for, each with its path, named by the path's text.
  private static func projected(_ schema: Schema, _ demand: ColumnDemand) -> Schema {
    guard case .paths(let paths) = demand else { return schema }
    var names: Set<String> = []
    let columns = paths.map { path -> ColumnSpec in
      let known = schema.columns.first { ($0.path?.elements ?? [$0.name]) == path.elements }
      let text = path.description
      let name = known.map(\.name) ?? (path.elements.count == 1 ? path.elements[0] : text)
      let unique = names.insert(name).inserted ? name : text
      names.insert(unique)
      var column = known ?? ColumnSpec(unique)
      column.name = unique
      column.path = path
      return column
    }
    return Schema(columns)
  }
}
