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
  /// The columns of the input, or what stands for them.
  let schema: Schema

  func resolve(
    _ path: [String], isQuoted: Bool
  ) throws(ColumnLookupError) -> (ColumnReference, ExpressionType) {
    let reference = try reference(path, isQuoted: isQuoted)
    let type =
      reference.subpath.isEmpty ? ExpressionType(schema.columns[reference.index].type) : .any
    return (reference, type)
  }

  private func reference(
    _ path: [String], isQuoted: Bool
  ) throws(ColumnLookupError) -> ColumnReference {
    let reference = try schema.resolve(path: path)
    // `a.b` is a path before it is a column of that name, where `a` is known to be nested.
    if path.count > 1, reference.subpath.isEmpty, let first = path.first,
      let outer = try? schema.resolve(path: [first]),
      schema.columns[outer.index].type == .json || schema.columns[outer.index].type == .list
    {
      return ColumnReference(index: outer.index, subpath: Array(path.dropFirst()))
    }
    return reference
  }
}
