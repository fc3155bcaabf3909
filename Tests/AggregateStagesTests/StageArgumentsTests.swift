import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct StageArgumentsTests {
  let table = TestRows.batch(
    ["id", "c d", "value", "x.y"], [[1, "a", 5, 0], [2, "b", 25, 0], [3, "c", 15, 0]])

  /// The rows that a stage subcommand makes.
  func run(
    _ name: String, _ positionals: [String], _ options: [(name: String, value: String)] = []
  ) throws -> [String] {
    let type = try #require(Stages.registry[name])
    let node = StageArguments.node(for: type.spec, positionals: positionals, options: options)
    var diagnostics = Diagnostics()
    let stage = Stages.registry.make(type, node, &diagnostics)
    try diagnostics.throwIfErrors()
    return try output(of: #require(stage))
  }

  func shorthand(_ option: String, _ value: String?) throws -> [String] {
    let node = try #require(StageArguments.shorthand(option: option, value: value))
    var diagnostics = Diagnostics()
    let stage = Stages.registry.make(node, &diagnostics)
    try diagnostics.throwIfErrors()
    return try output(of: #require(stage))
  }

  func output(of stage: any Stage) throws -> [String] {
    let bound = try stage.bind(table.schema, sides: [], context())
    return [bound.output.names.joined(separator: " | ")]
      + TestRows.shown(try StageRunner.run(bound, table))
  }

  @Test func theScalarFormIsPositional() throws {
    #expect(try run("filter", ["value > 10"]).count == 3)
    #expect(try run("head", ["1"]).count == 2)
    #expect(try run("head", []).count == 4)
    #expect(try run("sort", ["-value"])[1].hasPrefix("2"))
    #expect(try run("rename", ["id=n, value=v"]).first == "n | c d | v | x.y")
    #expect(try run("set", ["n=if(value > 10, 1, 2)"]).first?.hasSuffix("| n") == true)
  }

  @Test func columnsAreSplitAtCommasOutsideQuotes() throws {
    #expect(try run("select", ["id,\"c d\",n=x.y"]).first == "id | c d | n")
    #expect(try run("drop", ["\"c d\", value"]).first == "id | x.y")
    #expect(try run("sort", ["-\"c d\""])[1].hasPrefix("3"))
  }

  @Test func optionsOfTheMappingFormAreOptions() throws {
    #expect(try run("top", ["1"], [("by", "-value")])[1].hasPrefix("2"))
    #expect(try run("dedupe", [], [("by", "x.y"), ("keep", "last")]).count == 2)
    #expect(
      try run("unpivot", ["id,value"], [("name", "k"), ("value", "v")]).first == "c d | x.y | k | v"
    )
  }

  @Test func shorthandsOfRun() throws {
    #expect(try shorthand("--where", "value > 10").count == 3)
    #expect(try shorthand("select", "value,id").first == "value | id")
    #expect(try shorthand("drop", "value").first == "id | c d | x.y")
    #expect(try shorthand("rename", "id=n").first == "n | c d | value | x.y")
    #expect(try shorthand("set", "n=value * 2")[1].hasSuffix("10"))
    #expect(try shorthand("sort", "-value")[1].hasPrefix("2"))
    #expect(try shorthand("limit", "2").count == 3)
    #expect(try shorthand("distinct", nil).count == 4)
    #expect(try shorthand("distinct", "x.y").count == 2)
    #expect(StageArguments.shorthand(option: "jobs", value: "3")?.shown == nil)
  }

  @Test func aMistakeShowsACaret() throws {
    let error = #expect(throws: DiagnosticsError.self) { try shorthand("where", "valu > 10") }
    #expect(
      error?.diagnostics.first?.rendered.hasSuffix("\n  --where valu > 10\n          ^") == true)
    #expect(throws: DiagnosticsError.self) { try shorthand("limit", "ten") }
    let select = #expect(throws: DiagnosticsError.self) { try run("select", ["id,valu"]) }
    #expect(select?.diagnostics.first?.rendered.hasSuffix("\n  id,valu\n     ^") == true)
  }
}
