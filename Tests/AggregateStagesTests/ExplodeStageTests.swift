import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct ExplodeStageTests {
  @Test func explodeMakesARowOfEachElement() throws {
    let table = TestRows.batch(
      ["id", "tags"],
      [
        [1, .json(#"["a", "b\n", {"x": [1, "]"]} ,1.10,null, true]"#)], [2, .json("[]")], [3, nil],
        [4, "x"],
      ])
    #expect(
      try rows("explode: tags", table)
        == [
          "id | tags", "1 | “a”", "1 | “b\n”", #"1 | {"x": [1, "]"]}"#, "1 | 1.10", "1 | null",
          "1 | true", "2 | null", "3 | null", "4 | “x”",
        ])
    #expect(try rows("explode: { column: tags, keep_empty: false }", table).count == 8)
  }

  @Test func explodeOfAPathAddsAColumn() throws {
    let table = TestRows.batch(["u", "i"], [[.json(#"{"t":[1,2]}"#), 0]])
    #expect(
      try rows("explode: u.t", table)
        == ["u | i | u.t", #"{"t":[1,2]} | 0 | 1"#, #"{"t":[1,2]} | 0 | 2"#])
  }
}
