import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SetStageTests {
  let table = TestRows.batch(
    ["city", "temp"], [["Oslo", 3], ["Rome", 15], ["Lima", nil], ["Bern", 20.5]])

  @Test func setComputesColumnsOneAfterTheOther() throws {
    #expect(
      try rows("set: { f: temp * 2, g: f + 1 }", table)
        == [
          "city | temp | f | g", "“Oslo” | 3 | 6 | 7", "“Rome” | 15 | 30 | 31",
          "“Lima” | null | null | null", "“Bern” | 20.5 | 41.0 | 42.0",
        ])
  }

  @Test func setReplacesAColumnInPlace() throws {
    #expect(
      try rows("set: { city: upper(city) }", table).prefix(2) == ["city | temp", "“OSLO” | 3"])
  }
}
