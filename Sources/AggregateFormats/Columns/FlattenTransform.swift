public import AggregateCore
internal import AggregateJSON

/// Makes rows flat for formats without nesting: an object becomes columns named by path (`city.name`).
///
/// The columns are learned from the first rows, so that every row has the same. Lists stay lists. An
/// object in a column that held none at first stays JSON text. An overflow column is never written as
/// such: its fields are new ones, but for one in the first rows that itself has the overflow's name.
public struct FlattenTransform: RowTransform {
  /// The flat columns.
  public let output: Schema
  private let policy: NewColumnPolicy
  private let plans: [Plan]
  private let overflow: Int?
  /// Whether the data have a field with the name of the overflow.
  private let hasOwnExtra: Bool

  /// What becomes of one column.
  private struct Plan: Sendable {
    let index: Int
    let names: LeafNames
    /// The paths of the columns it becomes; the empty one stands for values that are no objects.
    let leaves: [[String]]
    /// Whether it is taken as it is.
    var isKept: Bool { leaves == [[]] }
  }

  /// The names of what is inside a column.
  private struct LeafNames: Sendable {
    let column: ColumnSpec

    func path(_ leaf: [String]) -> ColumnPath {
      if let path = column.path, path.description == column.name {
        return ColumnPath(path.elements + leaf)
      }
      return ColumnPath([column.name] + leaf)
    }

    func name(_ leaf: [String]) -> String { leaf.isEmpty ? column.name : path(leaf).description }
  }

  /// Learns the columns from `sample`, batches of the stream's `schema`.
  ///
  /// - Throws: ``AggregateError`` with code `badData` when two values would have the same name.
  public init(_ schema: Schema, learning sample: [Batch], policy: NewColumnPolicy = .error) throws {
    self.policy = policy
    overflow = schema.isOpen ? schema.columns.count - 1 : nil
    var plans: [Plan] = []
    var columns: [ColumnSpec] = []
    var owners: [String: String] = [:]
    for (index, column) in schema.columns.enumerated() where index != overflow {
      let names = LeafNames(column: column)
      let leaves = Self.leaves(sample.map { $0.columns[index] })
      plans.append(Plan(index: index, names: names, leaves: leaves))
      for leaf in leaves {
        let name = names.name(leaf)
        if let other = owners.updateValue(column.name, forKey: name) {
          throw AggregateError(
            .badData,
            "two columns would be called “\(name)”: \(Self.shown(other, name)) and "
              + Self.shown(column.name, name),
            hint: "rename or drop one of them before the output, or write json or ndjson")
        }
        columns.append(
          leaf.isEmpty
            ? column
            : ColumnSpec(
              name, column.type == .json ? .any : column.type,
              path: names.path(leaf)))
      }
    }
    hasOwnExtra =
      overflow.map { index in
        sample.contains { Self.ownExtra($0.columns[index]).cells.contains { $0.kind != .absent } }
      } ?? false
    if hasOwnExtra { columns.append(ColumnSpec(Schema.overflowName)) }
    if policy == .extra {
      let taken = Set(columns.map(\.name))
      var name = Schema.overflowName
      while taken.contains(name) { name += "_" }
      columns.append(
        ColumnSpec(
          name, .json,
          description: "The fields that the first rows did not have, as a JSON object."))
    }
    self.plans = plans
    output = Schema(columns)
  }

  /// The flat rows.
  ///
  /// - Throws: ``AggregateError`` with code `badData` at a new field, when the policy is `error`.
  public func apply(_ batch: Batch) throws -> Batch {
    var columns: [Column] = []
    var extra = ExtraFields(rowCount: batch.rowCount, policy: policy)
    for plan in plans {
      let column = batch.columns[plan.index]
      guard !plan.isKept, case .spans(let spans) = column else {
        columns.append(column)
        columns += plan.leaves.dropFirst().map { _ in .nulls(batch.rowCount, .absent) }
        continue
      }
      columns += split(spans, plan)
      try findNew(spans, plan, &extra)
    }
    if let overflow {
      let members = batch.columns[overflow]
      if hasOwnExtra { columns.append(.spans(Self.ownExtra(members))) }
      try extra.add(members: members, except: hasOwnExtra ? Schema.overflowName : nil)
    }
    if output.columns.count > columns.count { columns.append(extra.column()) }
    return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
  }

  /// The values of the field that has the overflow's name.
  private static func ownExtra(_ overflow: Column) -> SpanColumn {
    guard case .spans(let spans) = overflow else {
      return SpanColumn(
        buffer: .empty, cells: Array(repeating: .absent, count: overflow.count))
    }
    let inner = NestedValues.extract(spans, path: [Schema.overflowName])
    // A column of that name that was united with an overflow has values that are no members.
    let cells = zip(spans.cells, inner.cells).map { cell, member in
      cell.kind == .object ? member : cell.kind.isNull ? .absent : cell
    }
    return SpanColumn(buffer: spans.buffer, cells: cells)
  }

  private func split(_ spans: SpanColumn, _ plan: Plan) -> [Column] {
    let inner = NestedValues.extract(spans, paths: plan.leaves.filter { !$0.isEmpty })
    var next = inner.makeIterator()
    return plan.leaves.map { leaf in
      if leaf.isEmpty {
        let cells = spans.cells.map { $0.kind == .object ? Cell.absent : $0 }
        return .spans(SpanColumn(buffer: spans.buffer, cells: cells))
      }
      guard let column = next.next() else { return .nulls(spans.cells.count, .absent) }
      // Where a leaf is an object with fields, those have columns of their own.
      let hasInner = plan.leaves.contains { $0.count > leaf.count && $0.starts(with: leaf) }
      guard hasInner else { return .spans(column) }
      let cells = column.cells.map { cell in
        cell.kind == .object && cell.length > 2 && !Self.isEmptyObject(column.buffer, cell)
          ? Cell.absent : cell
      }
      return .spans(SpanColumn(buffer: column.buffer, cells: cells))
    }
  }

  private func findNew(
    _ spans: SpanColumn, _ plan: Plan, _ extra: inout ExtraFields
  ) throws {
    var fresh = NestedValues.leafPaths(spans).filter { !plan.leaves.contains($0) }
    if !plan.leaves.contains([]),
      spans.cells.contains(where: { !$0.kind.isNull && $0.kind != .object })
    {
      fresh.insert([], at: 0)
    }
    if fresh.isEmpty { return }
    for leaf in fresh {
      let values: SpanColumn
      if leaf.isEmpty {
        let cells = spans.cells.map { $0.kind == .object || $0.kind == .null ? Cell.absent : $0 }
        values = SpanColumn(buffer: spans.buffer, cells: cells)
      } else {
        let found = NestedValues.extract(spans, path: leaf)
        let cells = found.cells.map {
          $0.kind == .object && !Self.isEmptyObject(found.buffer, $0) ? Cell.absent : $0
        }
        values = SpanColumn(buffer: found.buffer, cells: cells)
      }
      try extra.add(values, name: plan.names.name(leaf))
    }
  }

  /// The column `owner`, as where a value called `name` comes from.
  private static func shown(_ owner: String, _ name: String) -> String {
    owner == name ? "the column “\(owner)”" : "what is in “\(owner)”"
  }

  private static func isEmptyObject(_ buffer: ByteBuffer, _ cell: Cell) -> Bool {
    buffer.withUnsafeBytes {
      JSONBytes.items(UnsafeRawBufferPointer(rebasing: $0[cell.range])).isEmpty
    }
  }

  private static func leaves(_ columns: [Column]) -> [[String]] {
    var leaves: [[String]] = []
    var known: Set<[String]> = []
    var hasObject = false
    var hasOther = false
    for case .spans(let spans) in columns {
      for cell in spans.cells {
        if cell.kind == .object { hasObject = true } else if !cell.kind.isNull { hasOther = true }
      }
      guard hasObject else { continue }
      for leaf in NestedValues.leafPaths(spans) where known.insert(leaf).inserted {
        leaves.append(leaf)
      }
    }
    if !hasObject { return [[]] }
    leaves.removeAll { $0.isEmpty }
    let isEmptyKept = hasOther || leaves.isEmpty
    return (isEmptyKept ? [[]] : []) + leaves
  }
}
