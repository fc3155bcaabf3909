import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct TailStageTests {
  @Test func tailKeepsTheLastRows() throws {
    #expect(try column(1, "tail: 2", cities) == ["25", "20"])
    #expect(try column(1, "tail: 50", cities).count == 5)
  }
}
