extension Schema {
  /// The columns of `schemas` by name: those of the first in order, then the new ones of the next.
  ///
  /// A column that has different types in different schemas is `number` where all are numbers, else
  /// `any`; a unit that differs is left out. An open schema makes the union open, its overflow column last.
  public static func union(_ schemas: [Schema]) -> Schema {
    var columns: [ColumnSpec] = []
    var indexes: [String: Int] = [:]
    let isOpen = schemas.contains(where: \.isOpen)
    for column in schemas.flatMap(\.columns) where !isOpen || column.name != overflowName {
      if let index = indexes[column.name] {
        if columns[index].type != column.type {
          let areNumbers = [columns[index].type, column.type].allSatisfy {
            [.int, .number].contains($0)
          }
          columns[index].type = areNumbers ? .number : .any
        }
        if columns[index].unit != column.unit { columns[index].unit = nil }
        if columns[index].path != column.path { columns[index].path = nil }
      } else {
        indexes[column.name] = columns.count
        columns.append(column)
      }
    }
    if isOpen { columns.append(ColumnSpec(overflowName, .json)) }
    return Schema(columns, isOpen: isOpen)
  }
}

extension Batch {
  /// The same rows under `schema`: columns by name, absent where this batch has none.
  ///
  /// - Throws: ``AggregateError`` when a column of this batch has no place in `schema`.
  public func adapted(to schema: Schema) throws -> Batch {
    if self.schema == schema { return self }
    for column in self.schema.columns where schema.index(of: column.name) == nil {
      throw AggregateError(
        .badData, "a new column “\(column.name)” appeared after the first rows",
        hint: "declare `columns:`, or sample more rows with `schema: { sample: N }`")
    }
    let columns = schema.columns.map { column in
      self.schema.index(of: column.name).map { self.columns[$0] } ?? .nulls(rowCount, .absent)
    }
    return Batch(schema: schema, columns: columns, rowCount: rowCount)
  }
}
