import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct UnpivotStageTests {
  @Test func unpivotMakesARowOfEachColumn() throws {
    let table = TestRows.batch(["id", "jan", "feb"], [[1, 5, nil], [2, 7, "x"]])
    #expect(
      try rows("unpivot: { columns: [jan, feb], name: month, value: temp }", table)
        == [
          "id | month | temp", "1 | “jan” | 5", "1 | “feb” | null", "2 | “jan” | 7",
          "2 | “feb” | “x”",
        ])
  }
}
