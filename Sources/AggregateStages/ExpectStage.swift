internal import AggregateCore
internal import AggregateExpressions

/// Asserts something of every row.
struct ExpectStage: Stage {
  static let spec = StageSpec(
    "expect", "Assert something of every row, and say what becomes of rows that fail.",
    options: [
      OptionSpec(
        "rule", ExpressionOption.shape, required: true, "What must be true of every row.",
        example: "temp between -90 and 60"),
      OptionSpec(
        "on_fail", .choice(["error", "drop", "dead_letter"]), default: "error",
        "Whether a row that fails ends the run, is left out, or goes to a file.", example: "drop"),
      OptionSpec(
        "to", .text, "With dead_letter: the file; its extension tells the format.",
        example: "bad.ndjson"),
    ],
    shorthand: .value("rule"), positionals: ["rule"],
    discussion: """
      A rule that is null for a row fails. With on_fail: error the run ends with exit code 5 at the \
      first row that fails; otherwise the number of failing rows is reported.
      """,
    example: "expect: { rule: temp between -90 and 60, on_fail: drop }")

  private let rule: Expression?
  private let policy: String
  private let path: String?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    rule = options.node("rule").flatMap { ExpressionOption.parse($0, &diagnostics) }
    policy = options.text("on_fail") ?? "error"
    path = options.text("to")
    if policy == "dead_letter" && path == nil {
      diagnostics.error(
        "missing-key", "“expect”: the key “to” is missing", at: options.location("on_fail"),
        hint: "name the file for the rows that fail, such as to: bad.ndjson")
    }
    if policy != "dead_letter" && path != nil {
      diagnostics.error(
        "unused-key", "“expect”: “to” goes with on_fail: dead_letter only",
        at: options.location("to"), hint: "add on_fail: dead_letter")
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    guard let rule else { return .rows(ColumnPicker(all: schema)) }
    let bound = try rule.bindCondition(schema)
    return .stream(output: schema) { [policy, path] in
      let output =
        try policy == "dead_letter" ? path.map { try context.openOutput($0, schema) } : nil
      return ExpectTransform(
        bound, rule.source, failsRun: policy == "error", output, context.log)
    }
  }

  func demand(_ downstream: ColumnDemand, input schema: Schema) throws -> ColumnDemand {
    if policy == "dead_letter" { return .all }
    return downstream.passing(
      output: schema, needing: try rule?.bindCondition(schema).references ?? [], of: schema)
  }
}

private final class ExpectTransform: StreamTransform {
  private let rule: BoundExpression
  private let source: LocatedText
  private let failsRun: Bool
  private var output: (any StageOutput)?
  private let log: RunLog
  private var seen = 0
  private var failed = 0

  init(
    _ rule: BoundExpression, _ source: LocatedText, failsRun: Bool, _ output: (any StageOutput)?,
    _ log: RunLog
  ) {
    self.rule = rule
    self.source = source
    self.failsRun = failsRun
    self.output = output
    self.log = log
  }

  func process(_ batch: Batch, input: Int, emit: (Batch) throws -> Demand) throws -> Demand {
    var demand = Demand.more
    if let rows = try rule.selectedRows(batch, label: "expect", log: log) {
      let kept = Set(rows)
      let failing = (0..<Int32(batch.rowCount)).filter { !kept.contains($0) }
      if failsRun, let first = failing.first {
        if first > 0 { _ = try emit(batch.sliced(0..<Int(first))) }
        throw failure(batch, Int(first))
      }
      failed += failing.count
      try output?.write(batch.gathered(failing))
      if !rows.isEmpty { demand = try emit(batch.gathered(rows)) }
    } else {
      demand = try emit(batch)
    }
    seen += batch.rowCount
    if demand == .enough { try close() }
    return demand
  }

  private func failure(_ batch: Batch, _ row: Int) -> AggregateError {
    let values = rule.references.prefix(6).map { reference in
      let value = batch.columns[reference.index].value(at: row)
      let text = value.isNull ? "null" : String(value.displayText.prefix(60))
      return "\(batch.schema.columns[reference.index].name) = \(text)"
    }
    return AggregateError(
      .expectation,
      "expect: “\(source.text)” does not hold for row \(seen + row + 1)"
        + (values.isEmpty ? "" : ": \(values.joined(separator: ", "))"),
      location: source.location)
  }

  func finish(input: Int, emit: (Batch) throws -> Demand) throws { try close() }

  private func close() throws {
    try output?.finish()
    output = nil
    if failed > 0 {
      let rows = failed == 1 ? "1 row" : "\(failed) rows"
      log.note("expect: “\(source.text)” does not hold for \(rows)")
      failed = 0
    }
  }
}
