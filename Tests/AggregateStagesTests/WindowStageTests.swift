import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct WindowStageTests {
  let table = TestRows.batch(
    ["city", "day", "temp"],
    [["Oslo", 2, 5], ["Rome", 1, 15], ["Oslo", 1, 3], ["Rome", 2, 25], ["Oslo", 3, nil]])

  func computed(_ set: String, _ more: String = "") throws -> [String] {
    try rows("window: { by: [city], sort: [day], \(more)set: { v: \(set) } }", table)
      .map { $0.split(separator: "|").last.map { $0.filter { $0 != " " } } ?? "" }
  }

  @Test func lagAndLeadLookAtOtherRows() throws {
    #expect(try computed("lag(temp)") == ["v", "3", "null", "null", "15", "5"])
    #expect(try computed("lead(temp)") == ["v", "null", "25", "5", "null", "null"])
    #expect(
      try computed("'lag(temp, 2)'") == ["v", "null", "null", "null", "null", "3"])
  }

  @Test func aggregatesRunUpToTheCurrentRow() throws {
    #expect(try computed("sum(temp)") == ["v", "8", "15", "3", "40", "8"])
    #expect(try computed("count(temp)") == ["v", "2", "1", "1", "2", "2"])
    #expect(try computed("count()") == ["v", "2", "1", "1", "2", "3"])
    #expect(try computed("max(temp)") == ["v", "5", "15", "3", "25", "5"])
    #expect(try computed("first(temp)") == ["v", "3", "15", "3", "15", "3"])
  }

  @Test func aggregatesRollOverTheLastRows() throws {
    #expect(try computed("sum(temp)", "rows: 1, ") == ["v", "5", "15", "3", "25", "null"])
  }

  @Test func ranksFollowTheOrder() throws {
    #expect(try computed("row_number()") == ["v", "2", "1", "1", "2", "3"])
    let ties = TestRows.batch(["v"], [[1], [1], [2]])
    #expect(
      try rows("window: { sort: [v], set: { r: rank(), d: dense_rank() } }", ties)
        == ["v | r | d", "1 | 1 | 1", "1 | 1 | 1", "2 | 3 | 2"])
  }

  @Test func whatIsNoWindowFunctionIsAMistake() {
    let schema = table.schema
    #expect(mistake("window: { set: { v: lagg(temp) } }", schema)?.hint == "did you mean “lag”?")
    #expect(mistake("window: { set: { v: temp + 1 } }", schema)?.code == "window-function")
    #expect(mistake("window: { set: { v: lag() } }", schema)?.code == "window-arguments")
    #expect(mistake("window: { set: { v: lag(tmp) } }", schema)?.hint == "did you mean “temp”?")
  }
}
