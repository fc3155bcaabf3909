import AggregateCore
import Synchronization
import Testing

@Suite struct RunLogTests {
  private final class Lines: Sendable {
    private let state = Mutex<[String]>([])
    var all: [String] { state.withLock { $0 } }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  @Test func lossesAreCountedAndToldOncePerColumnAndKind() throws {
    let lines = Lines()
    let log = RunLog(level: .normal, isStrict: false) { lines.add("\($0)") }
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
      let log = RunLog(level: level, isStrict: false) { lines.add("\($0)") }
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
