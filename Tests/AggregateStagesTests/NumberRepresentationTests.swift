import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

/// A number is the same number whether it was read (a span) or computed (a vector), and one batch may
/// have it one way and the next the other.
@Suite struct NumberRepresentationTests {
  static let stages = [
    "filter: n > 2 and r < 4.5",
    "select: [n, { x: r }]",
    "set: { s: n + r, t: n // 2, u: n * 1.5 }",
    "cast: { n: number }",
    "cast: { n: text, r: text }",
    "fill: { n: 0 }",
    "fill_down: [n]",
    "dedupe: { by: [n] }",
    "dedupe: { by: [n, r], keep: last }",
    "dedupe: {}",
    "sort: [-n, r]",
    "sort: [r, n]",
    "top: { n: 3, by: -n, per: [g] }",
    "tail: 5",
    "group: { by: [n], set: { c: count(), s: sum(r), m: mean(n), d: count(distinct r) } }",
    "group: { by: [g], set: { s: sum(n), lo: min(r), hi: max(n), q: median(n), l: list(n) } }",
    "window: { by: [g], sort: [n], set: { p: lag(n), s: sum(r), k: rank(), hi: max(n) } }",
    "join: { with: other, on: [n], kind: full }",
    "join: { with: other, on: [n], kind: left }",
    "join: { with: other, on: [g], kind: asof, as_of: n }",
    "pivot: { rows: [g], columns: n, values: sum(r) }",
    "pivot: { rows: [n], columns: g, values: count() }",
    "unpivot: { columns: [n, r], name: k, value: v }",
    "replace: { column: n, pattern: '1', with: 'x' }",
    "mask: { n: hash, r: redact }",
    "expect: { rule: n < 3, on_fail: drop }",
    "sql: SELECT g, n, r, n + r AS s FROM input ORDER BY n, r",
    "flatten: {}",
    "unflatten: {}",
    "describe: {}",
    "union: [other]",
  ]

  private static let read = TestRows.batch(
    ["g", "n", "r"],
    (0..<60).map { i -> [Value] in
      let n: Value = i % 11 == 10 ? .null : .int(Int64(i * 7 % 5))
      let r: Value = i % 13 == 12 ? .null : .number("\(i * 3 % 7).5")
      return [.text("g\(i % 3)"), n, r]
    })

  /// The same rows, with numbers as they come out of expressions.
  private static func computed(_ batch: Batch) -> Batch {
    func nulls(_ column: Column) -> [Bool] {
      (0..<batch.rowCount).map { column.kind(at: $0).isNull }
    }
    let n = Vector<Int64>(
      (0..<batch.rowCount).map { Int64(batch.columns[1].value(at: $0).displayText) ?? 0 },
      nulls: nulls(batch.columns[1]))
    let r = Vector<Double>(
      (0..<batch.rowCount).map { Double(batch.columns[2].value(at: $0).displayText) ?? 0 },
      nulls: nulls(batch.columns[2]))
    return Batch(
      schema: batch.schema, columns: [batch.columns[0], .ints(n), .doubles(r)],
      rowCount: batch.rowCount)
  }

  /// What a stage makes of batches of seven rows, of which those with an odd number are computed.
  private func run(_ yaml: String, _ main: [Batch], _ side: Batch, maxMemory: Int) throws
    -> [String]
  {
    let stage = try stage(yaml)
    let sides = stage.sideInputs.map { _ in side }
    let bound = try stage.bind(
      side.schema, sides: sides.map(\.schema), context(maxMemory: maxMemory))
    var output: [Batch] = []
    switch bound {
    case .rows(let transform): output = try main.map { try transform.apply($0) }
    case .stream(_, let make):
      let transform = try make()
      func emit(_ batch: Batch) -> Demand {
        output.append(batch)
        return .more
      }
      func feedSide(_ order: SideInput.Order) throws {
        for (index, input) in stage.sideInputs.enumerated() {
          guard case .beforeMain = order, case .beforeMain = input.order else {
            guard case .afterMain = order, case .afterMain = input.order else { continue }
            _ = try transform.process(sides[index], input: index + 1, emit: emit)
            try transform.finish(input: index + 1, emit: emit)
            continue
          }
          _ = try transform.process(sides[index], input: index + 1, emit: emit)
          try transform.finish(input: index + 1, emit: emit)
        }
      }
      try feedSide(.beforeMain)
      for batch in main { _ = try transform.process(batch, input: 0, emit: emit) }
      try transform.finish(input: 0, emit: emit)
      try feedSide(.afterMain)
    }
    return output.first.map { [$0.schema.names.joined(separator: " | ")] + TestRows.shown(output) }
      ?? []
  }

  @Test(arguments: stages, [1 << 28, 1])
  func readAndComputedNumbersAreTheSame(yaml: String, maxMemory: Int) throws {
    let parts = TestRows.parts(Self.read, of: 7)
    let expected = try run(yaml, parts, Self.read, maxMemory: 1 << 28)
    #expect(expected.count > 1)
    let mixed = parts.enumerated().map {
      $0.offset % 2 == 0 ? $0.element : Self.computed($0.element)
    }
    #expect(try run(yaml, mixed, Self.read, maxMemory: maxMemory) == expected)
    #expect(
      try run(yaml, parts.map(Self.computed), Self.computed(Self.read), maxMemory: maxMemory)
        == expected)
  }
}
