import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct FillDownStageTests {
  @Test func fillDownRepeatsTheLastValueAcrossBatches() throws {
    let table = TestRows.batch(
      ["v", "i"], [[nil, 0], ["a", 1], [nil, 2], [nil, 3], [7, 4], [nil, 5]])
    #expect(
      try rows("fill_down: v", table)
        == ["v | i", "null | 0", "“a” | 1", "“a” | 2", "“a” | 3", "7 | 4", "7 | 5"])
  }
}
