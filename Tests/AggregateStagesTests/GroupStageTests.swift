import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct GroupStageTests {
  let table = TestRows.batch(
    ["city", "day", "temp"],
    [
      ["Oslo", "d1", 3], ["Rome", "d1", 15], ["Oslo", "d2", 5], ["Rome", "d2", 25],
      ["Lima", "d1", 20], [nil, "d1", nil],
    ])

  @Test func groupsComeInTheOrderTheyAppear() throws {
    #expect(
      try rows("group: { by: [city], set: { n: count(), c: count(temp), m: max(temp) } }", table)
        == [
          "city | n | c | m", "“Oslo” | 2 | 2 | 5", "“Rome” | 2 | 2 | 25", "“Lima” | 1 | 1 | 20",
          "null | 1 | 0 | null",
        ])
  }

  @Test func groupsOfSeveralColumnsAndOfNumbersByValue() throws {
    #expect(try rows("group: { by: [city, day], set: { n: count() } }", table).count == 7)
    let numbers = TestRows.batch(["v"], [[1], [.number("1.0")], [2]])
    #expect(
      try rows("group: { by: v, set: { n: count() } }", numbers) == ["v | n", "1 | 2", "2 | 1"])
  }

  @Test func pickedNumbersLeaveAsTheyCame() throws {
    let long = "12345678901234567890"
    let texts = [long, "1.10", "1e2", "-0.50", "12345678901234567891"]
    for text in texts {
      let one = TestRows.batch(["v"], [[.number(text)]])
      for name in ["first", "last", "min", "max", "any_value", "mode"] {
        #expect(
          try rows("group: { set: { x: \(name)(v) } }", one) == ["x", text], "\(name)")
      }
      #expect(try rows("group: { set: { x: list(v) } }", one) == ["x", "[\(text)]"])
      #expect(
        try rows("pivot: { rows: v, columns: v, values: first(v) }", one).last
          == "\(text) | \(text)", "pivot")
      #expect(
        try rows("window: { set: { x: first(v) } }", one).last == "\(text) | \(text)", "window")
    }
    let all = TestRows.batch(["v"], texts.map { [.number($0)] })
    #expect(
      try rows("group: { set: { a: min(v), b: max(v), n: count(distinct v) } }", all)
        == ["a | b | n", "-0.50 | 12345678901234567891 | 5"])
    let longs = TestRows.batch(["v"], [[.number(long)], [.number(long)], [1]])
    #expect(try rows("group: { set: { s: sum(v) } }", longs) == ["s", "24691357802469135781"])
  }

  @Test func withoutColumnsAllRowsAreOneGroup() throws {
    #expect(try rows("group: { set: { n: count(), s: sum(temp) } }", table) == ["n | s", "6 | 68"])
    let none = try stage("group: { set: { n: count() } }").bind(table.schema, sides: [], context())
    #expect(TestRows.shown(try StageRunner.run(none, table.sliced(0..<0))) == ["0"])
  }

  @Test func mistakesHavePlaces() {
    #expect(
      mistake("group: { by: [cty], set: { n: count() } }", table.schema)?.hint?.contains("city")
        == true)
    #expect(
      mistake("group: { by: [city], set: { n: sum(tmp) } }", table.schema)?.hint?.contains("temp")
        == true)
    #expect(mistake("group: {}", table.schema)?.code == "missing-key")
  }

  @Test func pivotMakesAColumnOfEachValue() throws {
    #expect(
      try rows("pivot: { rows: [city], columns: day, values: max(temp) }", table)
        == [
          "city | d1 | d2", "“Oslo” | 3 | 5", "“Rome” | 15 | 25", "“Lima” | 20 | null",
          "null | null | null",
        ])
  }

  @Test func pivotNamesColumnsApart() throws {
    let table = TestRows.batch(["r", "k"], [["x", 1], ["x", "1"], ["x", nil], ["x", "r"]])
    #expect(
      try rows("pivot: { rows: r, columns: k, values: count() }", table)
        == ["r | 1 | 1_2 | null | r_2", "“x” | 1 | 1 | 1 | 1"])
  }

  @Test func manyGroupsComeInSeveralBatches() throws {
    let table = TestRows.batch(["v"], (0..<10_000).map { [.int($0 % 5000)] })
    let bound = try stage("group: { by: v, set: { n: count() } }")
      .bind(table.schema, sides: [], context())
    let batches = try StageRunner.run(bound, table)
    #expect(batches.map(\.rowCount) == [4096, 904])
    #expect(Set(TestRows.shown(batches).map { $0.suffix(4) }) == [" | 2"])
  }
}
