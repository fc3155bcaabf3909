import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateStages

@Suite struct ExpressionStagesTests {
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

  @Test func castKeepsDigitsAndReportsLosses() throws {
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in lines.withLock { $0.append(line) } }
    let table = TestRows.batch(
      ["n", "t"],
      [["12.50", .number("1.10")], ["7", true], ["n/a", nil], [.absent, .json("[1]")]])
    #expect(
      try rows("cast: { n: number, t: text }", table, context(log: log))
        .dropFirst().map { $0 }
        == ["12.50 | “1.10”", "7 | “true”", "null | null", "absent | “[1]”"])
    log.reportLosses()
    #expect(lines.withLock { $0 }.contains { $0.contains("“n”") && $0.contains("n/a") })
  }

  @Test func castToTimesAndBooleans() throws {
    let table = TestRows.batch(
      ["b", "d", "i"], [["true", "2024-02-01", "2024-02-01T10:00:00+02:00"], ["false", nil, nil]])
    #expect(
      try rows("cast: { b: bool, d: date, i: instant }", table).dropFirst().map { $0 }
        == ["true | “2024-02-01” | “2024-02-01T08:00:00Z”", "false | null | null"])
  }

  @Test func numbersAreSecondsOrMilliseconds() throws {
    let table = TestRows.batch(
      ["t"],
      [
        [.number("1700000000")], [.number("1700000000123")], [.number("1700000000.5")],
        [.number("-1")], [.number("99999999999")], [.number("100000000000")],
        ["2024-02-01T10:00:00+02:00"], [.null],
      ])
    let wanted = [
      "“2023-11-14T22:13:20Z”", "“2023-11-14T22:13:20.123Z”", "“2023-11-14T22:13:20.500Z”",
      "“1969-12-31T23:59:59Z”", "“5138-11-16T09:46:39Z”", "“1973-03-03T09:46:40Z”",
      "“2024-02-01T08:00:00Z”", "null",
    ]
    #expect(try rows("cast: { t: instant }", table).dropFirst() == wanted[...])
  }

  @Test func strictCastEndsTheRun() throws {
    let strict = RunLog(level: .quiet, isStrict: true) { _ in }
    let table = TestRows.batch(["v"], [["12"], ["n/a"]])
    #expect(throws: AggregateError.self) {
      try rows("cast: { v: number }", table, context(log: strict))
    }
  }

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
