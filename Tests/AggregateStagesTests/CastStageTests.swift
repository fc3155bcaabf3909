import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateStages

@Suite struct CastStageTests {
  @Test func castKeepsDigitsAndReportsLosses() throws {
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
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
}
