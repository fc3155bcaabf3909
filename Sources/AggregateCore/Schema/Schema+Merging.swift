extension Schema {
  /// The columns of `schemas` by name: those of the first in order, then the new ones of the next.
  ///
  /// A column that has different types in different schemas is `number` where all are numbers, else
  /// `any`. Its unit is that of the first one where the others can be converted to it, as ``Batch/adapted(to:)``
  /// does; units of different quantities are left out. An open schema makes the union open, its overflow column last.
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
        if columns[index].unit != column.unit {
          if let unit = columns[index].unit, let other = column.unit,
            UnitConversion(from: other, to: unit) != nil
          {
            columns[index].type = .number
          } else {
            columns[index].unit = nil
          }
        }
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
  /// The same rows under `schema`: columns by name, in its units, absent where this batch has none.
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
      guard let index = self.schema.index(of: column.name) else {
        return Column.nulls(rowCount, .absent)
      }
      if let from = self.schema.columns[index].unit, let to = column.unit, from != to,
        let conversion = UnitConversion(from: from, to: to)
      {
        return conversion.column(self.columns[index], column)
      }
      return self.columns[index]
    }
    return Batch(schema: schema, columns: columns, rowCount: rowCount)
  }
}
