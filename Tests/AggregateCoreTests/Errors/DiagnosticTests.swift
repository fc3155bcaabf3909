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

@Suite struct RunLogTests {
  private final class Lines: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  @Test func lossesAreCountedAndToldOncePerColumnAndKind() throws {
    let lines = Lines()
    let log = RunLog(level: .normal, isStrict: false) { lines.add($0) }
    try log.lost(column: "temp", kind: "do not read as int", count: 2, example: "warm")
    try log.lost(column: "temp", kind: "do not read as int", count: 3, example: "cold")
    try log.lost(column: "day", kind: "overflow", count: 1, example: "9")
    #expect(lines.all.isEmpty)
    log.reportLosses()
    #expect(
      lines.all == [
        "warning: column “temp”: 5 values became null: do not read as int, such as “warm”",
        "warning: column “day”: 1 value became null: overflow, such as “9”",
      ])
  }

  @Test func warningsComeOnceAndQuietLogsAreQuiet() {
    for (level, count) in [(RunLog.Level.quiet, 0), (.normal, 2), (.verbose, 3)] {
      let lines = Lines()
      let log = RunLog(level: level, isStrict: false) { lines.add($0) }
      log.warn("w")
      log.warn("w")
      log.note("n")
      log.detail("d")
      #expect(lines.all.count == count)
      #expect(log.warnings == ["w"])
    }
  }

  @Test func strictLogsEndTheRunAtTheFirstLoss() {
    let log = RunLog(level: .quiet, isStrict: true) { _ in }
    let error = #expect(throws: AggregateError.self) {
      try log.lost(column: "a", kind: "overflow", count: 1, example: "x")
    }
    #expect(error?.code == .badData)
    #expect(throws: AggregateError.self) {
      try log.skipped(records: 1, of: "in.csv", first: AggregateError(.badData, "x"), at: 3)
    }
  }
}
