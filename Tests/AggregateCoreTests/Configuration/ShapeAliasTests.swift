import AggregateCore
import Testing

/// What an option is called elsewhere.
struct ShapeAliasTests {
  @Test(
    arguments: [
      ("q", "did you mean “query”?"), ("qery", "did you mean “query”?"),
      ("Q", "valid: query, quota"), ("quote", "did you mean “quota”?"),
    ])
  func anAliasIsNotValidButUnderstood(_ key: String, hint: String) {
    let place = SourceLocation(file: "f", line: 1, column: 1)
    let options = [
      OptionSpec("query", .text, "Words.", aliases: ["q"]), OptionSpec("quota", .text, "A bound."),
    ]
    let entry = Node.Entry(key: key, location: place, value: .text("x", at: place, plain: true))
    var diagnostics = Diagnostics()
    Shape.checkEntries([entry], options, of: "", at: place, into: &diagnostics)
    #expect(diagnostics.all.map(\.code) == ["unknown-key"])
    #expect(diagnostics.all.map(\.hint) == [hint])
  }
}
