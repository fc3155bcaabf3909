import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateStages

/// Where a DuckDB for the tests is: as named, or as `Scripts/duckdb.sh` installs it.
enum TestLibrary {
  static let isThere: Bool = {
    if getenv("DUCKDB_LIBRARY") == nil {
      let folder = ".build/duckdb"
      let files = FileManager.default.enumerator(atPath: folder)
      while let file = files?.nextObject() as? String {
        if file.contains("/_duckdb."), file.hasSuffix(".so") {
          let root = FileManager.default.currentDirectoryPath
          setenv("DUCKDB_LIBRARY", "\(root)/\(folder)/\(file)", 1)
          break
        }
      }
    }
    return (try? DuckDBLibrary.shared()) != nil
  }()
}

@Suite(.available(TestLibrary.isThere, "no DuckDB: set DUCKDB_LIBRARY, or run Scripts/duckdb.sh"))
struct DuckDBStageTests {
  private let table = TestRows.batch(
    ["city", "temp", "ok:bool", "day:date", "moment:instant"],
    [
      ["Oslo", 3, true, "2024-05-01", "2024-05-01T12:00:00+02:00"],
      ["Rome", .number("25.50"), false, "2024-05-02", "2024-05-01T12:00:00.5Z"],
      ["Ōsaka, a name of more than twelve bytes", nil, nil, nil, nil],
    ])

  private func sql(_ query: String) -> String { "sql: { engine: duckdb, query: \"\(query)\" }" }

  @Test func queriesSeeTheTableInput() throws {
    #expect(
      try rows(
        sql("SELECT city, count(*) AS n, max(temp) AS t FROM input GROUP BY city ORDER BY city"),
        table)
        == [
          "city | n | t", "“Oslo” | 1 | 3", "“Rome” | 1 | 25.5",
          "“Ōsaka, a name of more than twelve bytes” | 1 | null",
        ])
  }

  @Test func valuesComeBackAsTheyWent() throws {
    #expect(
      try rows(sql("SELECT * FROM input"), table)
        == [
          "city | temp | ok | day | moment",
          "“Oslo” | 3 | true | “2024-05-01” | “2024-05-01T10:00:00Z”",
          "“Rome” | 25.5 | false | “2024-05-02” | “2024-05-01T12:00:00.500Z”",
          "“Ōsaka, a name of more than twelve bytes” | null | null | null | null",
        ])
    let bound = try stage(
      sql("SELECT ok, day, moment, city, count(*) OVER () AS n, temp FROM input")
    )
    .bind(table.schema, sides: [], context())
    #expect(bound.output.columns.map(\.type) == [.bool, .date, .instant, .any, .int, .any])
  }

  @Test func numbersKeepTheirDigits() throws {
    let numbers = TestRows.batch(
      ["whole", "huge", "real", "mixed"],
      [
        [.number("9223372036854775807"), 1, .number("0.1"), 7],
        [
          .number("-9223372036854775808"), .number("-99999999999999999999999999999999999999"), 2,
          "x",
        ],
        [0, nil, .number("12345678901234567890.123456789"), true],
      ])
    #expect(
      try rows(sql("SELECT *, sum(huge) OVER () AS s FROM input"), numbers)
        == [
          "whole | huge | real | mixed | s",
          "9223372036854775807 | 1 | 0.100000000 | “7” | -99999999999999999999999999999999999998",
          "-9223372036854775808 | -99999999999999999999999999999999999999 | 2.000000000 | “x”"
            + " | -99999999999999999999999999999999999998",
          "0 | null | 12345678901234567890.123456789 | “true”"
            + " | -99999999999999999999999999999999999998",
        ])
  }

  @Test func columnsWidenWhenLaterRowsNeedIt() throws {
    var values: [[Value]] = (0..<500).map { [.int(Int64($0)), .int(Int64($0)), .int(1), nil] }
    values[250] = [.number("0.5"), "text", .json(#"{"a":[1]}"#), true]
    values[400] = [.number("123456789012345678901"), nil, "say \"x\"", nil]
    let wide = TestRows.batch(["n", "t", "j", "late"], values)
    let shown = try rows(sql("SELECT * FROM input"), wide)
    #expect(shown[1] == "0.0 | “0” | 1 | null")
    #expect(shown[251] == #"0.5 | “text” | {"a":[1]} | true"#)
    #expect(shown[401] == #"123456789012345678901.0 | null | “say "x"” | null"#)
  }

  @Test func typesOfDuckDBHaveTheirText() throws {
    let one = TestRows.batch(["x"], [[1]])
    #expect(
      try rows(
        sql(
          "SELECT 1.10::DECIMAL(5,2) AS a, -0.5::DECIMAL(4,1) AS b, '01:02:03.5'::TIME AS c,"
            + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID AS d, 'a'::ENUM('b','a') AS e,"
            + " 340282366920938463463374607431768211455::UHUGEINT AS f, INTERVAL 3 DAY AS g,"
            + " TIMESTAMPTZ '2024-01-01 00:00:00+01' AS h, 1.5::FLOAT AS i, '\\xFF'::BLOB AS j,"
            + " TIMESTAMP_NS '1969-12-31 23:59:59.123456789' AS k, NULL AS l, 255::UTINYINT AS m"
            + " FROM input"), one
      ).last
        == "1.10 | -0.5 | “01:02:03.500000” | “a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11” | “a”"
        + " | 340282366920938463463374607431768211455 | “3 days” | “2023-12-31T23:00:00Z” | 1.5"
        + " | “\\xFF” | “1969-12-31T23:59:59.123456789Z” | null | 255")
  }

  @Test func listsAndStructsComeBackNested() throws {
    let nested = TestRows.batch(
      ["a", "b:list"], [[.json(#"{"x":[1,2]}"#), .json("[1]")], [nil, .json("[]")]])
    #expect(
      try rows(
        sql(
          "SELECT a, a->'$.x[1]' AS second, b, [1, NULL] AS l, {'k': 'q', 'n': [1.5]} AS s,"
            + " MAP {1: 'x'} AS m, array_value(1, 2) AS v FROM input"), nested)
        == [
          "a | second | b | l | s | m | v",
          #"{"x":[1,2]} | 2 | [1] | [1,null] | {"k":"q","n":[1.5]} | {"1":"x"} | [1,2]"#,
          #"null | null | [] | [1,null] | {"k":"q","n":[1.5]} | {"1":"x"} | [1,2]"#,
        ])
  }

  @Test func emptyInputAndInputWithoutColumnsHaveResults() throws {
    let empty = TestRows.batch(["a", "b:int"], [])
    #expect(
      try rows(sql("SELECT count(*) AS n, sum(b) AS s FROM input"), empty) == ["n | s", "0 | null"])
    #expect(try rows(sql("SELECT * FROM input"), empty) == ["a | b"])
    let bare = Batch(schema: Schema([]), columns: [], rowCount: 3)
    #expect(try rows(sql("SELECT count(*) AS n FROM input"), bare) == ["n", "3"])
  }

  @Test(arguments: [
    ("SELECT nope FROM input", 8), ("SELEC", 1), ("CREATE TABLE t (x INT)", nil),
    ("SELECT 1 FROM other", 15), ("SELECT 1; SELECT 2", nil), ("SELECT ? FROM input", nil),
    ("SELECT upper(ok, 1) FROM input", 8),
  ])
  func mistakesAreFoundBeforeDataFlowsWithTheirPlace(query: String, column: Int?) {
    let found = mistake(sql(query), table.schema)
    #expect(found?.code == "sql")
    #expect(found?.message.hasPrefix("sql: ") == true)
    #expect(found?.message.contains("LINE") == false)
    if let column, let location = found?.location, let line = location.text {
      #expect(line.dropFirst(location.column - column).hasPrefix(query))
    }
  }

  @Test func whatCannotBeComputedEndsTheRun() throws {
    let error = #expect(throws: AggregateError.self) {
      try rows(sql("SELECT city::INT FROM input"), table)
    }
    #expect(error?.code == .badData)
  }

  @Test func infinityIsALoss() throws {
    let strict = RunLog(level: .quiet, isStrict: true) { _ in }
    let bound = try stage(sql("SELECT 'inf'::DOUBLE AS x FROM input"))
      .bind(table.schema, sides: [], context(log: strict))
    #expect(throws: AggregateError.self) { try StageRunner.run(bound, table) }
  }

  @Test func rowsThatDoNotFitInMemoryGoToDisk() throws {
    let columns = ["n", "t"]
    let bound = try stage(sql("SELECT t FROM input ORDER BY n DESC LIMIT 2"))
      .bind(TestRows.batch(columns, []).schema, sides: [], context(maxMemory: 1))
    guard case .stream(_, let make) = bound else { throw StageMistake("sql is no stream") }
    let transform = try make()
    var next: Int64 = 0
    for _ in 0..<100 {
      let values: [[Value]] = (0..<4096).map { row in
        [
          .int(next + Int64(row)),
          .text("\(next + Int64(row)) " + String(repeating: "x", count: 200)),
        ]
      }
      next += 4096
      _ = try transform.process(TestRows.batch(columns, values), input: 0) { _ in .more }
    }
    var found: [String] = []
    try transform.finish(input: 0) { batch in
      found += TestRows.shown([batch])
      return .more
    }
    #expect(found.map { $0.prefix(7) } == ["“409599", "“409598"])
  }
}
