extension Schema {
  /// The columns of this schema in order, then those that only `other` has.
  ///
  /// A column that both have keeps its unit and description; where the types differ it is `any`.
  /// The overflow column, if there is one, stays last.
  public func union(_ other: Schema) -> Schema {
    if self == other { return self }
    var merged: [ColumnSpec] = columns.filter { !isOpen || $0.name != Self.overflowName }
    for (index, column) in merged.enumerated() {
      guard let theirs = other.index(of: column.name) else { continue }
      if other.columns[theirs].type != column.type { merged[index].type = .any }
      if other.columns[theirs].path != column.path { merged[index].path = nil }
    }
    for column in other.columns where index(of: column.name) == nil {
      if !other.isOpen || column.name != Self.overflowName { merged.append(column) }
    }
    guard isOpen || other.isOpen else { return Schema(merged) }
    merged.removeAll { $0.name == Self.overflowName }
    return Schema(merged + [ColumnSpec(Self.overflowName, .json)], isOpen: true)
  }
}

extension Batch {
  /// The same rows under `schema`, whose columns are found by name; those that are not there are absent.
  public func conformed(to schema: Schema) -> Batch {
    if self.schema === schema { return self }
    let columns = schema.columns.map { column in
      self.schema.index(of: column.name).map { self.columns[$0] } ?? .nulls(rowCount, .absent)
    }
    return Batch(schema: schema, columns: columns, rowCount: rowCount)
  }
}
