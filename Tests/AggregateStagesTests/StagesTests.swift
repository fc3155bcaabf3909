import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct StagesTests {
  @Test func namesAreUniqueAndSnakeCase() {
    let names = Stages.registry.names
    #expect(Set(names).count == names.count)
    for name in names { #expect(name.allSatisfy { $0.isLowercase || $0 == "_" }) }
  }

  @Test(arguments: Stages.registry.names)
  func everyStageIsDescribed(name: String) throws {
    let spec = try #require(Stages.registry[name]).spec
    #expect(spec.summary.hasSuffix(".") && spec.summary.count <= 150)
    for option in spec.options { #expect(option.summary.hasSuffix("."), "\(option.name)") }
    let names = spec.options.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(spec.positionals.allSatisfy(names.contains))
    if case .value(let option) = spec.shorthand { #expect(names.contains(option)) }
    if case .entries(let option) = spec.shorthand { #expect(names.contains(option)) }
  }

  @Test(arguments: Stages.registry.names)
  func theExampleParsesAndBinds(name: String) throws {
    let type = try #require(Stages.registry[name])
    let stage = try stage(type.spec.example)
    let names = [
      "place", "temp", "city", "temp_max", "date", "url", "title", "name", "month", "value", "jan",
      "feb", "tags", "email", "time", "rain", "wind_speed", "content", "author",
    ]
    let schema = Schema(names.map { ColumnSpec($0) })
    let other = Schema([ColumnSpec("city"), ColumnSpec("country")])
    let bound = try stage.bind(
      schema, sides: stage.sideInputs.map { _ in other }, context())
    _ = try stage.demand(.all, input: schema)
    let output = try StageRunner.run(
      bound, Batch.empty(schema), sides: stage.sideInputs.map { _ in Batch.empty(other) },
      sideInputs: stage.sideInputs)
    for batch in output where !stage.findsSchema { #expect(batch.schema == bound.output) }
  }
}
