import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct FilterStageTests {
  let table = TestRows.batch(
    ["city", "temp"], [["Oslo", 3], ["Rome", 15], ["Lima", nil], ["Bern", 20.5]])

  @Test func filterKeepsRowsForWhichTheConditionIsTrue() throws {
    #expect(
      try rows("filter: temp > 10", table) == ["city | temp", "“Rome” | 15", "“Bern” | 20.5"])
    #expect(try rows("filter: temp > 1000", table) == ["city | temp"])
    #expect(try rows("filter: city is not null", table).count == 5)
  }

  @Test func filterPointsAtWhatIsWrong() throws {
    let unknown = try #require(mistake("filter: tmp > 10", table.schema))
    #expect(unknown.location?.column == 9)
    #expect(unknown.hint?.contains("temp") == true)
    #expect(mistake("filter: 'temp >'", table.schema)?.location != nil)
  }
}
