import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct TopStageTests {
  @Test func topOrdersWithinGroups() throws {
    #expect(try column(1, "top: { n: 2, by: -temp }", cities) == ["25", "20"])
    #expect(try column(1, "top: { n: 1, by: -temp, per: [city] }", cities) == ["5", "25", "20"])
  }
}
