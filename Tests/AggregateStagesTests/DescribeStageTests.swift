import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct DescribeStageTests {
  @Test func describeGivesOneRowPerColumn() throws {
    let table = TestRows.batch(["id", "v"], [[1, "b"], [10, nil], [9, "a"], [9, 2.5]])
    #expect(
      try rows("describe: {}", table)
        == [
          "column | type | count | nulls | distinct | min | max | mean",
          "“id” | “int” | 4 | 0 | 3 | 1 | 10 | 7.25",
          "“v” | “number or text” | 3 | 1 | 3 | 2.5 | “b” | 2.5",
        ])
  }
}
