import AggregateCore
import AggregateExpressions
import AggregateJSON
import Foundation
import Synchronization
import Testing

/// Every value of the oracle, with declared and with undeclared columns.
@Suite struct ExpressionOracleTests {
  @Test(arguments: [true, false])
  func agrees(isTyped: Bool) throws {
    var failures: [String] = []
    let cases = try Oracle.lines("expressions.jsonl")
    #expect(cases.count >= 577)
    for entry in cases {
      let id = entry["id"]?.string ?? ""
      let text = entry["expr"]?.string ?? ""
      let mustFail = entry["error"]?.bool == true
      // Whether text may be computed with is known only of declared columns.
      if mustFail, !isTyped, text == "s + 1" || text == "-s" { continue }
      let batch =
        entry["row"].map { $0.isNull ? nil : Oracle.batch([$0], isTyped: isTyped) } ?? nil
      let input = batch ?? Batch(schema: Schema([]), columns: [], rowCount: 1)
      do {
        let log = RunLog(level: .quiet, isStrict: true) { _ in }
        var diagnostics = Diagnostics()
        let location = SourceLocation(file: "test", line: 1, column: 1)
        let expression = Expression(LocatedText(text, at: location), &diagnostics)
        try diagnostics.throwIfErrors()
        let bound = try #require(expression).bind(input.schema)
        let column = try bound.evaluate(input, into: "r", log: log)
        let value = column.value(at: 0)
        if mustFail {
          failures.append("\(id) \(text): gives \(value) instead of failing")
        } else if let wanted = entry["expect"], !Oracle.agrees(value, wanted) {
          failures.append("\(id) \(text): gives \(value), not \(wanted.rawText)")
        }
      } catch {
        if !mustFail {
          let told = (error as? DiagnosticsError)?.diagnostics.first?.rendered ?? "\(error)"
          failures.append("\(id) \(text): \(told)")
        }
      }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.joined(separator: "\n"))")
  }
}
