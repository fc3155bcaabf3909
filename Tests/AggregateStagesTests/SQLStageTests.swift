import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SQLStageTests {
  private let table = TestRows.batch(
    ["city", "temp", "ok:bool", "day:date"],
    [
      ["Oslo", 3, true, "2024-05-01"], ["Rome", .number("25.50"), false, "2024-05-02"],
      ["Oslo", nil, nil, nil], ["007", .number("9007199254740993"), true, ""],
    ])

  @Test func queriesSeeTheTableInput() throws {
    #expect(
      try rows(
        "sql: SELECT city, count(*) AS n, max(temp) FROM input GROUP BY city ORDER BY city", table)
        == [
          "city | n | max(temp)", "“007” | 1 | 9007199254740993", "“Oslo” | 2 | 3",
          "“Rome” | 1 | 25.5",
        ])
  }

  @Test func kindsOfValuesAreKept() throws {
    #expect(
      try rows("sql: SELECT city, temp, ok, day, ok + 1 AS more FROM input", table)
        == [
          "city | temp | ok | day | more", "“Oslo” | 3 | true | “2024-05-01” | 2",
          "“Rome” | 25.5 | false | “2024-05-02” | 1", "“Oslo” | null | null | null | null",
          "“007” | 9007199254740993 | true | “” | 2",
        ])
    let bound = try stage("sql: SELECT ok, day, ok AS again, 1 AS one FROM input")
      .bind(table.schema, sides: [], context())
    #expect(bound.output.columns.map(\.type) == [.bool, .date, .bool, .any])
  }

  @Test func nestedValuesComeBackNested() throws {
    let nested = TestRows.batch(
      ["a", "b", "c:json"],
      [[.json(#"{"x":[1,2]}"#), .json("[1]"), .json("[3]")], [nil, "[text", .absent]])
    #expect(
      try rows("sql: \"SELECT a, b, c, a ->> '$.x[1]' AS second FROM input\"", nested)
        == [
          "a | b | c | second", #"{"x":[1,2]} | “[1]” | [3] | 2"#, "null | “[text” | null | null",
        ])
  }

  @Test func namesThatDifferByCaseOrTwiceAreNumbered() throws {
    let table = TestRows.batch(["a", "A", "q\"t"], [[1, 2, 3]])
    #expect(
      try rows(#"sql: SELECT a, A_2, a, "q""t" FROM input"#, table)
        == [#"a | A_2 | a_3 | q"t"#, "1 | 2 | 1 | 3"])
  }

  @Test(arguments: ["SELECT nope FROM input", "SELEC", "CREATE TABLE t (x)", "SELECT 1 FROM other"])
  func mistakesAreFoundBeforeDataFlows(query: String) {
    let found = mistake("sql: \(query)", table.schema)
    #expect(found?.code == "sql")
    #expect(found?.location != nil)
    #expect(found?.message.hasPrefix("sql: : ") == false)
  }

  @Test func whatCannotBeComputedEndsTheRun() throws {
    let large = TestRows.batch(["n"], [[.int(.max)], [1]])
    let error = #expect(throws: AggregateError.self) {
      try rows("sql: SELECT sum(n) FROM input", large)
    }
    #expect(error?.code == .badData)
  }

  @Test func rowsThatDoNotFitInMemoryGoToDisk() throws {
    var values: [[Value]] = []
    for i in 0..<20_000 { values.append([.int(Int64(i)), .text("some text of row \(i)")]) }
    let table = TestRows.batch(["n", "t"], values)
    let bound = try stage("sql: SELECT t FROM input ORDER BY n DESC LIMIT 2")
      .bind(table.schema, sides: [], context(maxMemory: 1))
    #expect(
      TestRows.shown(try StageRunner.run(bound, table))
        == ["“some text of row 19999”", "“some text of row 19998”"])
  }
}
