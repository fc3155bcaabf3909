import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SourceExpectationTests {
  static func rows(_ rows: [(Int64, String?)]) -> Batch {
    TestRows.batch(["id", "name"], rows.map { [.int($0.0), $0.1.map { .text($0) } ?? .null] })
  }

  static func run(
    _ yaml: String, _ batch: Batch, size: Int = 1024
  ) throws -> (rows: Int, error: AggregateError?) {
    var diagnostics = Diagnostics()
    let options = Options(FlowNode.parse(yaml), specs: Self.specs)
    let stage = SourceExpectation(of: "people", options, &diagnostics)
    try diagnostics.throwIfErrors()
    let bound = try stage.bind(batch.schema, sides: [], context())
    guard case .stream(_, let make) = bound else { return (0, nil) }
    let transform = try make()
    var count = 0
    do {
      for start in stride(from: 0, to: batch.rowCount, by: size) {
        let part = batch.sliced(start..<min(start + size, batch.rowCount))
        _ = try transform.process(part, input: 0) {
          count += $0.rowCount
          return .more
        }
      }
      try transform.finish(input: 0) { _ in .more }
      return (count, nil)
    } catch let error as AggregateError {
      return (count, error)
    }
  }

  static let specs = [
    OptionSpec("min_rows", .int(0...100), ""), OptionSpec("max_rows", .int(0...100), ""),
    OptionSpec("not_null", .list(of: .text, orSingle: true), ""),
    OptionSpec("unique", .list(of: .text, orSingle: true), ""),
    OptionSpec("rules", .list(of: .text, orSingle: true), ""),
  ]

  @Test(
    arguments: [1, 2, 3, 1024],
    [
      ("{min_rows: 5}", 4, "min_rows: 5", "4 rows"),
      ("{max_rows: 3}", 3, "max_rows: 3", "row 4"),
      ("{max_rows: 0}", 0, "max_rows: 0", "row 1"),
      ("{not_null: [id, name]}", 2, "not_null: name", "row 3 has null"),
      ("{unique: [id]}", 3, "unique: id", "row 4 has “1”"),
      ("{rules: [id < 3]}", 2, "rules: id < 3", "row 3 has id = “3”"),
      ("{rules: [id > 0, name = 'a'], unique: id}", 1, "name = 'a'", "row 2 has name = “b”"),
    ])
  func theFirstRowThatFailsEndsTheRun(
    _ size: Int, _ wanted: (yaml: String, rows: Int, expectation: String, found: String)
  ) throws {
    let batch = Self.rows([(1, "a"), (2, "b"), (3, nil), (1, "d")])
    let (rows, error) = try Self.run(wanted.yaml, batch, size: size)
    #expect(rows == wanted.rows)
    #expect(error?.code == .expectation)
    #expect(error?.source == "people")
    #expect(error?.location != nil)
    #expect(error?.message.contains(wanted.expectation) == true)
    #expect(error?.message.contains(wanted.found) == true)
  }

  @Test(
    arguments: [1, 2, 1024],
    [
      "{min_rows: 4, max_rows: 4}", "{not_null: id}", "{unique: [id, name]}", "{rules: [id < 4]}",
    ])
  func whatHoldsLetsAllRowsThrough(_ size: Int, _ yaml: String) throws {
    let batch = Self.rows([(1, "a"), (2, "b"), (3, nil), (1, "d")])
    let (rows, error) = try Self.run(yaml, batch, size: size)
    #expect(rows == 4)
    #expect(error == nil)
  }

  @Test(arguments: [
    "{not_null: [nmae]}", "{unique: nmae}", "{rules: [nmae > 1]}", "{rules: [id >]}",
    "{min_rows: 3, max_rows: 2}",
  ])
  func mistakesAreFoundBeforeDataFlows(_ yaml: String) throws {
    do {
      _ = try Self.run(yaml, Self.rows([(1, "a")]))
      Issue.record("\(yaml) is no mistake")
    } catch let error as DiagnosticsError {
      #expect(error.diagnostics.first?.location != nil)
    }
  }
}
