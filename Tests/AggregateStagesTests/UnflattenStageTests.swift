import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct UnflattenStageTests {
  @Test func nullBesideValuesBelowItIsNoCollision() throws {
    let table = TestRows.batch(["x.y", "x"], [["1", .null], [.absent, "2"], [.null, .null]])
    #expect(
      try rows("unflatten: {}", table) == ["x", #"{"y":"1"}"#, "“2”", #"{"y":null}"#])
    let both = TestRows.batch(["x.y", "x"], [["1", "2"]])
    #expect(throws: AggregateError.self) { try rows("unflatten: {}", both) }
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
