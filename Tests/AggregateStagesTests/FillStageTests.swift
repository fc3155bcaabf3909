import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct FillStageTests {
  @Test func fillReplacesNullAndAbsentButNotTheEmptyText() throws {
    let table = TestRows.batch(["v"], [[""], [nil], [.absent], ["x"]])
    #expect(try rows("fill: { v: 0 }", table) == ["v", "“”", "0", "0", "“x”"])
    #expect(try rows("fill: { v: '0' }", table) == ["v", "“”", "“0”", "“0”", "“x”"])
  }
}
