extension Schema {
  /// The columns of rows that come from several sources: `_source`, then all columns in the order they
  /// first appear. A type that differs is not declared in the result; a unit that differs is left out.
  public static func merged(_ schemas: [Schema]) -> Schema {
    var columns: [ColumnSpec] = []
    var indexes: [String: Int] = [:]
    for column in schemas.flatMap(\.columns)
    where column.name != overflowName && column.name != "_source" {
      guard let index = indexes[column.name] else {
        indexes[column.name] = columns.count
        columns.append(column)
        continue
      }
      if columns[index].type != column.type {
        let numbers: Set<ValueType> = [.int, .number]
        columns[index].type =
          numbers.isSuperset(of: [columns[index].type, column.type]) ? .number : .any
      }
      if columns[index].unit != column.unit { columns[index].unit = nil }
      if columns[index].path != column.path { columns[index].path = nil }
    }
    let isOpen = schemas.contains { $0.isOpen }
    if isOpen { columns.append(ColumnSpec(overflowName, .json)) }
    return Schema(columns, isOpen: isOpen).withSourceColumn()
  }
}
