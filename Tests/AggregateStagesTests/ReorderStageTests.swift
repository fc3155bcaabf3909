import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct ReorderStageTests {
  let table = TestRows.batch(
    ["id", "name", "value"], [[1, "a", 5], [2, "b", nil], [3, .absent, 1.5]])

  @Test func reorderMovesColumnsToTheFront() throws {
    #expect(try rows("reorder: value", table).first == "value | id | name")
  }
}
