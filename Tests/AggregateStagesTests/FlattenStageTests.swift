import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct FlattenStageTests {
  @Test func flattenNamesColumnsByTheirPaths() throws {
    let table = TestRows.batch(
      ["id", "city", "ok"],
      [
        [1, .json(#"{"name":"Oslo","geo":{"lat":59.90}}"#), true],
        [2, .json(#"{"name":null,"a.b":[{"x":1}]}"#), false],
      ])
    #expect(
      try rows("flatten: {}", table)
        == [
          #"id | city.name | city.geo.lat | city.a\.b | ok"#, "1 | “Oslo” | 59.90 | absent | true",
          #"2 | null | absent | [{"x":1}] | false"#,
        ])
  }

  @Test func lateLeavesGoToTheOverflow() throws {
    let schema = Schema(
      [ColumnSpec("a"), ColumnSpec(Schema.overflowName, .json)], isOpen: true)
    var builder = BatchBuilder(schema: schema)
    let rows: [[Value]] = [
      [.json(#"{"x":1}"#), .absent], [.json(#"{"x":2,"y":3}"#), .json(#"{"z":4}"#)],
      [.json(#"{"y":"q\""}"#), .absent],
    ]
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    let batch = builder.finish()
    let bound = try stage("flatten: { sample: 1 }").bind(schema, sides: [], context())
    for size in [1, 2, 3] {
      let batches = try StageRunner.run(bound, batch, size: size)
      #expect(batches.allSatisfy { $0.schema.isOpen && $0.schema.names == ["a.x", "_extra"] })
      #expect(
        TestRows.shown(batches)
          == ["1 | absent", #"2 | {"z":4,"a.y":3}"#, #"absent | {"a.y":"q\""}"#])
    }
  }

  @Test func flattenIndexesListsWhenAsked() throws {
    let table = TestRows.batch(["a"], [[.json(#"{"l":[1,{"x":2}]}"#)], [.json(#"{"l":[]}"#)]])
    #expect(
      try rows("flatten: { lists: index }", table)
        == ["a.l.0 | a.l.1.x | a.l", "1 | 2 | absent", "absent | absent | []"])
  }

  @Test func flattenSaysWhatCameTooLate() throws {
    let table = TestRows.batch(["a"], [[.json(#"{"x":1}"#)], [.json(#"{"y":1}"#)]])
    #expect(throws: AggregateError.self) { try rows("flatten: { sample: 1 }", table) }
  }
}
