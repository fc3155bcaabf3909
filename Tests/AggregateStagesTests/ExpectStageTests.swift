import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct ExpectStageTests {
  let table = TestRows.batch(
    ["city", "temp"], [["Oslo", 3], ["Rome", 15], ["Lima", nil], ["Bern", 20.5]])

  @Test func expectEndsTheRunAtTheFirstRowThatFails() throws {
    let bound = try stage("expect: temp > 10").bind(table.schema, sides: [], context())
    let error = #expect(throws: AggregateError.self) { try StageRunner.run(bound, table) }
    #expect(error?.code == .expectation)
    #expect(error?.message == "expect: “temp > 10” does not hold for row 1: temp = 3")
  }

  @Test func expectDropsRowsThatFail() throws {
    #expect(
      try rows("expect: { rule: temp > 10, on_fail: drop }", table)
        == ["city | temp", "“Rome” | 15", "“Bern” | 20.5"])
    #expect(mistake("expect: { rule: temp > 1, on_fail: dead_letter }", table.schema) != nil)
  }
}
