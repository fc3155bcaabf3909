import AggregateCore
import Synchronization
import Testing

@Suite struct DiagnosticTests {
  private func place(_ line: Int, _ column: Int, file: String = "f.yaml")
    -> AggregateCore.SourceLocation
  {
    AggregateCore.SourceLocation(file: file, line: line, column: column, text: "\tkey: value")
  }

  @Test func renderingHasPlaceLineAndCaret() {
    let diagnostic = Diagnostic(
      .error, "bad", "“key” is wrong", at: place(3, 7), hint: "did you mean “kay”?")
    #expect(
      diagnostic.rendered
        == "f.yaml:3:7: error: “key” is wrong; did you mean “kay”?\n  \tkey: value\n  \t     ^")
    #expect(Diagnostic(.warning, "w", "m", at: nil).rendered == "warning: m")
  }

  @Test func allAreKeptOnceAndOrderedByPlace() {
    var diagnostics = Diagnostics()
    diagnostics.warning("w", "later", at: place(9, 1))
    #expect(!diagnostics.hasErrors)
    #expect(throws: Never.self) { try diagnostics.throwIfErrors() }
    for _ in 0..<2 { diagnostics.error("e", "second", at: place(2, 5)) }
    diagnostics.error("e", "first", at: place(2, 1))
    diagnostics.error("e", "other file", at: place(1, 1, file: "a.yaml"))
    #expect(diagnostics.sorted.map(\.message) == ["other file", "first", "second", "later"])
    let thrown = #expect(throws: DiagnosticsError.self) { try diagnostics.throwIfErrors() }
    #expect(thrown?.diagnostics.count == 4)
  }

  @Test func errorNamesSourceMessageAndHint() {
    let error = AggregateError(.rejected, "refused", hint: "try again", status: 403)
    #expect(error.description == "refused (try again)")
    #expect(error.of(source: "a").of(source: "b").description == "a: refused (try again)")
    #expect(AggregateError.Code.pagination.exit == 4)
    #expect(AggregateError.Code.configuration.exit == 2)
    #expect(AggregateError.Code.unavailable.isTransient)
    #expect(!AggregateError.Code.configuration.endsOnePart)
  }
}
