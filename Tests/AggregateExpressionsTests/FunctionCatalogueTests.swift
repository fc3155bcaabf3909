import AggregateCore
import AggregateExpressions
import Testing

@Suite struct FunctionCatalogueTests {
  @Test(arguments: FunctionCatalogue.all.map(\.name))
  func theExampleGivesWhatItSays(name: String) throws {
    let entry = try #require(FunctionCatalogue.entry(named: name))
    let location = SourceLocation(file: "test", line: 1, column: 1)
    var diagnostics = Diagnostics()
    let text = LocatedText(entry.example, at: location)
    let batch = Batch(schema: Schema([]), columns: [], rowCount: 1)
    let column: Column
    if entry.group == "aggregates" {
      let accumulator = try #require(Aggregate(text, &diagnostics)).bind(batch.schema)
        .makeAccumulator()
      try accumulator.update(batch, groups: [0], groupCount: 1, into: "r", log: .silent)
      column = try accumulator.finish(groupCount: 1, into: "r", log: .silent)
    } else {
      column = try #require(Expression(text, &diagnostics)).bind(batch.schema)
        .evaluate(batch, into: "r", log: .silent)
    }
    #expect(column.value(at: 0).displayText == entry.result, "\(entry.example)")
  }

  @Test func namesAreUniqueAndDescribed() {
    let names = FunctionCatalogue.all.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for entry in FunctionCatalogue.all {
      #expect(entry.summary.hasSuffix(".") && entry.summary.count <= 150, "\(entry.name)")
      #expect(entry.signature.hasPrefix(entry.name + "("), "\(entry.name)")
    }
  }
}
