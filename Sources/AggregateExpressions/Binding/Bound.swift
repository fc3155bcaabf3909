import AggregateCore

/// A compiled part and what is known of its value.
struct Bound {
  var plan: Plan
  var type: ExpressionType
  /// Where it was written, in scalars.
  var offset: Int

  /// Its value, when it is the same for all rows.
  var scalar: Scalar? {
    if case .constant(let value) = plan { value } else { nil }
  }

  static func constant(_ value: Scalar, at offset: Int) -> Bound {
    Bound(plan: .constant(value), type: value.type, offset: offset)
  }
}

/// Where names of an expression lead.
struct Names {
  /// The columns of the input.
  let schema: Schema

  func resolve(_ path: [String]) throws(ColumnLookupError) -> (ColumnReference, ExpressionType) {
    let reference = try schema.resolve(path: path)
    let type =
      reference.subpath.isEmpty ? ExpressionType(schema.columns[reference.index].type) : .any
    return (reference, type)
  }

  /// The nested value that `a.b` also means where there is a column `a.b` and a column `a`.
  func nested(_ path: [String], besides found: ColumnReference) -> ColumnReference? {
    guard path.count > 1, found.subpath.isEmpty, let first = path.first,
      let outer = try? schema.resolve(path: [first]), outer.subpath.isEmpty,
      ExpressionType(schema.columns[outer.index].type).isOpen
    else { return nil }
    return ColumnReference(index: outer.index, subpath: Array(path.dropFirst()))
  }
}
