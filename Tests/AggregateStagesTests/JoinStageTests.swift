import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct JoinStageTests {
  let left = TestRows.batch(
    ["id", "v"], [[1, "a"], [2, "b"], [2, "c"], [4, "d"], [nil, "e"]])
  let right = TestRows.batch(["id", "w"], [[1, "X"], [2, "Y"], [3, "Z"], [nil, "N"]])

  func join(_ kind: String) throws -> [String] {
    try rows("join: { with: other, on: [id], kind: \(kind) }", left, sides: [right])
  }

  @Test func innerKeepsPairs() throws {
    #expect(
      try join("inner")
        == ["id | v | w", "1 | “a” | “X”", "2 | “b” | “Y”", "2 | “c” | “Y”"])
  }

  @Test func leftKeepsRowsWithoutAPartner() throws {
    #expect(try join("left").suffix(2) == ["4 | “d” | null", "null | “e” | null"])
    #expect(try join("left").count == 6)
  }

  @Test func rightAndFullKeepTheRowsOfTheOther() throws {
    #expect(try join("right").suffix(2) == ["3 | null | “Z”", "null | null | “N”"])
    #expect(try join("right").count == 6)
    #expect(try join("full").count == 8)
  }

  @Test func semiAndAntiAddNoColumns() throws {
    #expect(try join("semi") == ["id | v", "1 | “a”", "2 | “b”", "2 | “c”"])
    #expect(try join("anti") == ["id | v", "4 | “d”", "null | “e”"])
  }

  @Test func severalPartnersComeInTheirOrder() throws {
    let right = TestRows.batch(["id", "w"], [[2, "Y"], [2, "Z"]])
    #expect(
      try rows("join: { with: other, on: id }", left, sides: [right])
        == ["id | v | w", "2 | “b” | “Y”", "2 | “b” | “Z”", "2 | “c” | “Y”", "2 | “c” | “Z”"])
  }

  @Test func columnsThatBothHaveGetASuffix() throws {
    let right = TestRows.batch(["key", "v"], [[1, "X"]])
    #expect(
      try rows("join: { with: other, on: { id: key }, suffix: _2 }", left, sides: [right])
        == ["id | v | v_2", "1 | “a” | “X”"])
  }

  @Test(arguments: ["inner", "left", "right", "full"])
  func overflowOfTheOtherIsNoOrdinaryColumn(_ kind: String) throws {
    func open(_ names: [String], _ rows: [[Value]]) -> Batch {
      let columns = names.map { ColumnSpec($0) } + [ColumnSpec(Schema.overflowName, .json)]
      var builder = BatchBuilder(schema: Schema(columns, isOpen: true))
      for row in rows {
        for value in row { builder.append(value) }
        builder.endRow()
      }
      return builder.finish()
    }
    let closed = TestRows.batch(["id", "v"], [[1, "a"], [2, "b"]])
    let mine = open(["id", "v"], [[1, "a", .json(#"{"m":1}"#)], [2, "b", .absent]])
    let other = open(["id", "w"], [[1, "X", .json(#"{"n":2}"#)], [2, "Y", .json(#"{"n":3}"#)]])
    let yaml = "join: { with: other, on: id, kind: \(kind) }"
    for main in [closed, mine] {
      let output = try stage(yaml).bind(main.schema, sides: [other.schema], context()).output
      #expect(output.names == ["id", "v", "w", "_extra"] && output.isOpen)
    }
    #expect(
      try rows(yaml, closed, sides: [other]).dropFirst()
        == ["1 | “a” | “X” | {\"n\":2}", "2 | “b” | “Y” | {\"n\":3}"])
    #expect(
      try rows(yaml, mine, sides: [other]).dropFirst()
        == ["1 | “a” | “X” | {\"m\":1,\"n\":2}", "2 | “b” | “Y” | {\"n\":3}"])
  }

  @Test func asOfTakesTheNearestEarlierRow() throws {
    let left = TestRows.batch(["s", "t"], [["a", 5], ["a", 1], ["b", 9], ["a", 10]])
    let right = TestRows.batch(["s", "t", "p"], [["a", 10, 100], ["a", 2, 20], ["b", 10, 7]])
    #expect(
      try rows(
        "join: { with: other, on: s, kind: asof, as_of: t, suffix: _r }", left, sides: [right])
        == [
          "s | t | t_r | p", "“a” | 5 | 2 | 20", "“a” | 1 | null | null", "“b” | 9 | null | null",
          "“a” | 10 | 10 | 100",
        ])
  }

  @Test func aKeyThatIsMissingIsAMistake() {
    #expect(
      mistake("join: { with: other }", left.schema, sides: [right.schema])?.code == "missing-key")
    #expect(
      mistake("join: { with: other, on: [idd] }", left.schema, sides: [right.schema])?.hint
        == "did you mean “id”?")
  }
}
