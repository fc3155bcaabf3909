import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct UnionStageTests {
  @Test func unionMatchesColumnsByName() throws {
    let left = TestRows.batch(["id", "x"], [[1, "p"]])
    let right = TestRows.batch(["y", "id"], [["q", 2]])
    #expect(
      try rows("union: [more]", left, sides: [right])
        == ["id | x | y", "1 | “p” | absent", "2 | absent | “q”"])
  }
}
