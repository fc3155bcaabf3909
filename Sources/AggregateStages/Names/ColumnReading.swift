internal import AggregateCore
internal import AggregateJSON

extension Batch {
  /// The values that `reference` leads to.
  func values(of reference: ColumnReference) throws -> Column {
    let column = columns[reference.index]
    if reference.subpath.isEmpty { return column }
    guard case .spans(let spans) = column else { return .nulls(rowCount, .absent) }
    return .spans(NestedValues.extract(spans, path: reference.subpath))
  }

  /// The values that each of `references` leads to.
  func values(of references: [ColumnReference]) throws -> [Column] {
    try references.map { try values(of: $0) }
  }
}

extension Schema {
  /// Where each of `names` leads.
  ///
  /// - Throws: ``DiagnosticsError`` with a diagnostic for every name that leads nowhere.
  func resolve(_ names: [LocatedText]) throws -> [ColumnReference] {
    var mistakes: [Diagnostic] = []
    var references: [ColumnReference] = []
    for name in names {
      do { references.append(try resolve(name)) } catch let error as DiagnosticsError {
        mistakes += error.diagnostics
      }
    }
    if !mistakes.isEmpty { throw DiagnosticsError(mistakes) }
    return references
  }

  /// The whole columns that `names` name, by index.
  ///
  /// - Throws: ``DiagnosticsError`` when a name leads nowhere or into a column.
  func resolveWhole(_ names: [LocatedText]) throws -> [Int] {
    try zip(names, resolve(names)).map { name, reference in
      if reference.subpath.isEmpty { return reference.index }
      throw DiagnosticsError([
        Diagnostic(
          .error, "not-a-column",
          "“\(name.text)” is a value inside the column “\(columns[reference.index].name)”",
          at: name.location, hint: "name the whole column, or take the value out with select or set"
        )
      ])
    }
  }

  /// A schema of `columns`, open when this one is and its overflow column is still the last.
  func replacing(_ columns: [ColumnSpec], at location: SourceLocation?) throws -> Schema {
    var seen: Set<String> = []
    for column in columns where !seen.insert(column.name).inserted {
      throw DiagnosticsError([
        Diagnostic(
          .error, "duplicate-column", "two columns would be named “\(column.name)”", at: location,
          hint: "give one of them another name")
      ])
    }
    return Schema(columns, isOpen: isOpen && columns.last?.name == Schema.overflowName)
  }

  /// The columns that `demand`, made of output columns, leads to; nil when it is everything.
  func references(_ demand: ColumnDemand) -> [ColumnReference]? {
    guard case .paths(let paths) = demand else { return nil }
    var references: [ColumnReference] = []
    for path in paths {
      guard
        let index = columns.firstIndex(where: {
          path.elements.starts(with: $0.path?.elements ?? [$0.name])
        })
      else { return nil }
      let own = columns[index].path?.elements.count ?? 1
      references.append(
        ColumnReference(index: index, subpath: Array(path.elements.dropFirst(own))))
    }
    return references
  }
}

extension ColumnDemand {
  /// This demand without the columns named `names`, which the stage makes itself, and with what `references` need.
  func passing(
    making names: Set<String> = [], output: Schema, needing references: [ColumnReference],
    of input: Schema
  ) -> ColumnDemand {
    guard let wanted = output.references(self) else { return .all }
    var through: [ColumnReference] = []
    for reference in wanted where !names.contains(output.columns[reference.index].name) {
      guard let index = input.index(of: output.columns[reference.index].name) else { return .all }
      through.append(ColumnReference(index: index, subpath: reference.subpath))
    }
    return ColumnDemand.of(through + references, in: input)
  }
}
