import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SortStageTests {
  func sorted(_ yaml: String, _ values: [Value], maxMemory: Int = 1 << 28) throws -> [String] {
    let table = TestRows.batch(["v", "i"], values.enumerated().map { [$1, .int(Int64($0))] })
    return try rows(yaml, table, context(maxMemory: maxMemory)).dropFirst().map {
      String($0.prefix { $0 != " " })
    }
  }

  @Test func numbersCompareByValueHoweverTheyAreWritten() throws {
    let values: [Value] = [
      .number("10"), .number("9.5"), .number("-3"), .number("1e2"), .number("0.001"), .number("-0"),
      .number("-30"), .number("1e400"), .number("-1e400"), .number("1e-400"), 7, 2.5,
      .number("9007199254740993"), .number("9007199254740992"),
      .number("123456789012345678901234567890"), .number("123456789012345678901234567889"),
    ]
    let ascending = [
      "-1e400", "-30", "-3", "-0", "1e-400", "0.001", "2.5", "7", "9.5", "10", "1e2",
      "9007199254740992", "9007199254740993", "123456789012345678901234567889",
      "123456789012345678901234567890", "1e400",
    ]
    #expect(try sorted("sort: v", values) == ascending)
    #expect(try sorted("sort: -v", values) == ascending.reversed())
  }

  @Test func nullsComeLastInBothDirections() throws {
    let values: [Value] = [nil, 2, .absent, 1, "x", true]
    #expect(try sorted("sort: v", values) == ["true", "1", "2", "“x”", "null", "absent"])
    #expect(try sorted("sort: -v", values) == ["“x”", "2", "1", "true", "null", "absent"])
  }

  @Test func textComparesByItsBytes() throws {
    let values: [Value] = ["b", "a", "é", "B", "a\u{0}", "", "abcdefghij", "abcdefghia"]
    #expect(
      try sorted("sort: v", values)
        == ["“”", "“B”", "“a”", "“a\u{0}”", "“abcdefghia”", "“abcdefghij”", "“b”", "“é”"])
  }

  @Test func equalRowsKeepTheirOrder() throws {
    let table = TestRows.batch(["g", "i"], [[2, 1], [1, 2], [2.0, 3], [1, 4]])
    #expect(try rows("sort: g", table) == ["g | i", "1 | 2", "1 | 4", "2 | 1", "2 | 3"])
    #expect(try rows("sort: -g", table) == ["g | i", "2 | 1", "2 | 3", "1 | 2", "1 | 4"])
  }

  @Test func severalKeysCountInTheirOrder() throws {
    let table = TestRows.batch(["a", "b"], [["y", 1], ["x", 1], ["x", 2], ["y", 2]])
    #expect(
      try rows("sort: [-b, a]", table) == ["a | b", "“x” | 2", "“y” | 2", "“x” | 1", "“y” | 1"])
  }

  @Test(arguments: [1, 200, 2000, 1 << 28])
  func spillingToDiskChangesNothing(maxMemory: Int) throws {
    var state: UInt64 = 1
    let values = (0..<500).map { index -> Value in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Int64(state >> 58)
      return index % 7 == 0 ? .text("text \(number)") : index % 11 == 0 ? .null : .int(number)
    }
    let table = TestRows.batch(["v", "i"], values.enumerated().map { [$1, .int(Int64($0))] })
    let stage = try stage("sort: -v")
    func run(_ memory: Int) throws -> [String] {
      TestRows.shown(
        try StageRunner.run(
          stage.bind(table.schema, sides: [], context(maxMemory: memory)), table, size: 7))
    }
    #expect(try run(maxMemory) == run(1 << 28))
    #expect(try run(maxMemory).count == 500)
  }

  @Test func typedColumnsStayTyped() throws {
    let schema = Schema([ColumnSpec("v", .number), ColumnSpec("b", .bool), ColumnSpec("d", .date)])
    let table = Batch(
      schema: schema,
      columns: [
        .doubles(Vector([2.5, 0, 1.0], nulls: [false, true, false])),
        .bools(Vector([true, false, true])),
        .dates(Vector([CalendarDate(days: 3), CalendarDate(days: 2), CalendarDate(days: -1)])),
      ], rowCount: 3)
    let bound = try stage("sort: v").bind(schema, sides: [], context())
    let output = try StageRunner.run(bound, table)
    #expect(
      output.flatMap { batch in (0..<3).map { batch.row($0) } } == [
        [1.0, true, .date(CalendarDate(days: -1))], [2.5, true, .date(CalendarDate(days: 3))],
        [nil, false, .date(CalendarDate(days: 2))],
      ])
  }
}
