import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct NestedStagesTests {
  @Test func selectTakesValuesOutOfNestedColumns() throws {
    let table = TestRows.batch(
      ["id", "city", "weather"],
      [
        [1, .json(#"{"name":"Oslo","geo":{"lat":59.90}}"#), .json(#"[{"d":"rain"},{"d":"sun"}]"#)],
        [2, nil, .json("[]")],
      ])
    #expect(
      try rows("select: [city.name, { lat: city.geo.lat }, weather.1.d]", table)
        == ["city.name | lat | weather.1.d", "“Oslo” | 59.90 | “sun”", "absent | absent | absent"])
    #expect(try rows("sort: -city.geo.lat", table).count == 3)
  }

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

  @Test func nullBesideValuesBelowItIsNoCollision() throws {
    let table = TestRows.batch(["x.y", "x"], [["1", .null], [.absent, "2"], [.null, .null]])
    #expect(
      try rows("unflatten: {}", table) == ["x", #"{"y":"1"}"#, "“2”", #"{"y":null}"#])
    let both = TestRows.batch(["x.y", "x"], [["1", "2"]])
    #expect(throws: AggregateError.self) { try rows("unflatten: {}", both) }
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

  @Test func unflattenBuildsObjects() throws {
    let table = TestRows.batch(
      ["id", "a.b", "x", "a.c.d", #"a.e\.f"#],
      [[1, 1, 2, "q\"", nil], [2, .absent, 3, .absent, .absent]])
    #expect(
      try rows("unflatten: {}", table)
        == ["id | a | x", #"1 | {"b":1,"c":{"d":"q\""},"e.f":null} | 2"#, "2 | absent | 3"])
  }

  @Test(arguments: ["keep"])
  func unflattenUndoesFlatten(lists: String) throws {
    let values = [
      #"{"a":{"b":1.10,"c":{"d":"x","e.f":[]}}}"#, #"{"a":7}"#, #"{"a":null}"#, #"{"a":{}}"#,
      #"{"a":{"c":{}}}"#, #"{"a":{"b":{"z":"\u00e9\n"}}}"#, #"{"k\\ey":{"":1}}"#,
    ]
    let table = TestRows.batch(["v"], values.map { [.json($0)] })
    let bound = try stage("flatten: { lists: \(lists) }").bind(table.schema, sides: [], context())
    let flat = try StageRunner.run(bound, table)
    let schema = try #require(flat.first?.schema)
    let back = try stage("unflatten: {}").bind(schema, sides: [], context())
    let result = try StageRunner.run(back, try #require(flat.first))
    #expect(TestRows.shown(result) == values)
  }

  @Test func unflattenUndoesTheEscapesOfColumnNames() throws {
    let names = ["a.b", #"back\slash"#, "plain", "deep.key"]
    let table = TestRows.batch(names, [[1, 2, 3, .json(#"{"p.q":4,"r":5}"#)]])
      .relabelled(Schema(names.map { ColumnSpec($0, path: ColumnPath([$0])) }))
    let flatten = try stage("flatten: {}").bind(table.schema, sides: [], context())
    let flat = try #require(StageRunner.run(flatten, table).first)
    #expect(
      flat.schema.names
        == [#"a\.b"#, #"back\\slash"#, "plain", #"deep\.key.p\.q"#, #"deep\.key.r"#])
    // Read back by another process, a name has no path.
    let schema = Schema(flat.schema.names.map { ColumnSpec($0) })
    let unflatten = try stage("unflatten: {}").bind(schema, sides: [], context())
    let back = try #require(StageRunner.run(unflatten, flat.relabelled(schema)).first)
    #expect(back.schema.names == names)
    #expect(TestRows.shown([back]) == TestRows.shown([table]))
  }

  @Test func unflattenLeavesNamesThatAreNoPaths() throws {
    let table = TestRows.batch([#"C\dir"#, #"x\"#], [[1, 2]])
    #expect(try rows("unflatten: {}", table) == [#"C\dir | x\"#, "1 | 2"])
  }
}
