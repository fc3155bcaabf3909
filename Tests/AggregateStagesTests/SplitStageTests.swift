import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SplitStageTests {
  @Test func splitGivesTheLastNameTheRest() throws {
    let table = TestRows.batch(
      ["id", "name"], [[1, "Ann Lee"], [2, "Bob Ray Jr"], [3, "Cid"], [4, nil]])
    #expect(
      try rows("split: { column: name, by: ' ', into: [first, last], keep: false }", table)
        == [
          "id | first | last", "1 | “Ann” | “Lee”", "2 | “Bob” | “Ray Jr”", "3 | “Cid” | null",
          "4 | null | null",
        ])
  }
}
