import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct DropStageTests {
  let table = TestRows.batch(
    ["id", "name", "value"], [[1, "a", 5], [2, "b", nil], [3, .absent, 1.5]])

  @Test func dropLeavesOutColumns() throws {
    #expect(try rows("drop: [name, value]", table) == ["id", "1", "2", "3"])
  }
}
