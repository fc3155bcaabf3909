internal import AggregateCore
internal import AggregateExpressions

/// Asserts what a source declares under `expect` of the rows that its stages let through.
///
/// The keys of `unique` are kept in memory for the run, some 40 bytes and the key for each row.
struct SourceExpectation: Stage {
  static let spec = StageSpec(
    "expectation", "Assert what a source declares under `expect`.", options: [], shorthand: .none,
    example: "expect: { min_rows: 1, not_null: [id] }")

  let source: String
  let minRows: Int?
  let maxRows: Int?
  let notNull: [LocatedText]
  let unique: [LocatedText]
  let rules: [Expression]
  let location: SourceLocation

  /// Creates the expectation of the source named `source` from the options of its `expect`.
  init(of source: String, _ options: Options, _ diagnostics: inout Diagnostics) {
    self.source = source
    minRows = options.int("min_rows")
    maxRows = options.int("max_rows")
    notNull = (options.nodes("not_null") ?? []).compactMap { LocatedText($0) }
    unique = (options.nodes("unique") ?? []).compactMap { LocatedText($0) }
    var rules: [Expression] = []
    for node in options.nodes("rules") ?? [] {
      if let rule = ExpressionOption.parse(node, &diagnostics) { rules.append(rule) }
    }
    self.rules = rules
    location = options.node.location
    if let minRows, let maxRows, minRows > maxRows {
      diagnostics.error(
        "expectation", "“expect”: min_rows is \(minRows), which is more than max_rows, \(maxRows)",
        at: options.location("min_rows"))
    }
  }

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    self.init(of: "", options, &diagnostics)
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    let bound = BoundExpectation(
      notNull: try schema.resolve(notNull), unique: try schema.resolve(unique),
      rules: try rules.map { try $0.bindCondition(schema) })
    return .stream(output: schema) {
      SourceExpectationTransform(self, bound, context.log)
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    let needed = try rules.flatMap { try $0.bindCondition(schema).references }
    return downstream.passing(
      output: schema,
      needing: try schema.resolve(notNull) + schema.resolve(unique) + needed, of: schema)
  }
}

private struct BoundExpectation: Sendable {
  let notNull: [ColumnReference]
  let unique: [ColumnReference]
  let rules: [BoundExpression]
}

private final class SourceExpectationTransform: StreamTransform {
  private let declared: SourceExpectation
  private let bound: BoundExpectation
  private let log: RunLog
  private let encoder: KeyEncoder
  private let table = KeyTable()
  private var seen = 0
  private var isCut = false

  init(_ declared: SourceExpectation, _ bound: BoundExpectation, _ log: RunLog) {
    self.declared = declared
    self.bound = bound
    self.log = log
    encoder = KeyEncoder(ascending: bound.unique.count)
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    if let (row, error) = try firstFailure(batch) {
      if row > 0 { _ = try emit(batch.sliced(0..<row)) }
      throw error
    }
    seen += batch.rowCount
    let demand = try emit(batch)
    if demand == .enough { isCut = true }
    return demand
  }

  /// The first row of `batch` that something does not hold for.
  private func firstFailure(_ batch: Batch) throws -> (row: Int, error: AggregateError)? {
    var first: (row: Int, error: AggregateError)?
    func fails(_ row: Int, _ error: @autoclosure () -> AggregateError) {
      if first.map({ row < $0.row }) ?? true { first = (row, error()) }
    }
    if let most = declared.maxRows, seen + batch.rowCount > most {
      fails(
        most - seen,
        error("max_rows: \(most)", "row \(most + 1) came", at: declared.location))
    }
    for (name, reference) in zip(declared.notNull, bound.notNull) {
      let column = try batch.values(of: reference)
      if let row = (0..<batch.rowCount).first(where: { column.kind(at: $0).isNull }) {
        fails(
          row, error("not_null: \(name.text)", "row \(seen + row + 1) has null", at: name.location))
      }
    }
    for (rule, condition) in zip(declared.rules, bound.rules) {
      guard let rows = try condition.selectedRows(batch, label: "expect", log: log) else {
        continue
      }
      let row = zip(rows, Int32(0)...).first { $0 != $1 }.map { Int($1) } ?? rows.count
      let values = condition.references.prefix(6).map { reference in
        "\(batch.schema.columns[reference.index].name) = "
          + Self.shown(batch.columns[reference.index], row)
      }
      fails(
        row,
        error(
          "rules: \(rule.source.text)",
          "row \(seen + row + 1) has \(values.joined(separator: ", "))", at: rule.source.location))
    }
    if let place = declared.unique.first {
      let columns = try batch.values(of: bound.unique)
      let before = table.count
      let groups = table.assign(encoder.encode(columns, rowCount: batch.rowCount)).groups
      // As long as keys are new, each gets the next number.
      if let row = groups.indices.first(where: { Int(groups[$0]) != before + $0 }) {
        let names = declared.unique.map(\.text).joined(separator: ", ")
        let values = columns.map { Self.shown($0, row) }.joined(separator: ", ")
        fails(
          row,
          error(
            "unique: \(names)", "row \(seen + row + 1) has \(values), as a row before it",
            at: place.location))
      }
    }
    return first
  }

  private static func shown(_ column: Column, _ row: Int) -> String {
    let value = column.value(at: row)
    return value.isNull ? "null" : "“\(value.displayText.prefix(60))”"
  }

  private func error(
    _ expectation: String, _ found: String, at place: SourceLocation
  ) -> AggregateError {
    AggregateError(
      .expectation, "expect: “\(expectation)” does not hold: \(found)",
      source: declared.source.isEmpty ? nil : declared.source, location: place)
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws {
    // Rows that nobody wanted were not counted.
    guard !isCut, let least = declared.minRows, seen < least else { return }
    throw error(
      "min_rows: \(least)", seen == 1 ? "there is 1 row" : "there are \(seen) rows",
      at: declared.location)
  }
}
