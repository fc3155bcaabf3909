import AggregateCore
import AggregateTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MergedSourcesTests {
  private let letters = Schema([ColumnSpec("letter", .text), ColumnSpec("n", .int)])

  private func letterSource(isKnown: Bool) -> RowSource {
    RowSource(name: "letters", schema: isKnown ? letters : nil) { [letters] hooks in
      if !isKnown { _ = try await hooks.publish(letters) }
      try await hooks.emit(
        Emission(
          .batch(
            TestRows.batch(["letter:text", "n:int"], [["a", 1], ["b", 2]]).relabelled(letters))))
    }
  }

  @Test(arguments: [1, 4], [true, false])
  func sourcesComeInDeclaredOrderWithTheirName(_ width: Int, _ isKnown: Bool) async throws {
    let runner = Numbers.runner(width: width)
    let merged = try RowSource.merged(
      "all",
      [
        Numbers.source("slow", below: 3, by: 1, isKnown: isKnown, stages: [DoubleStage()]),
        letterSource(isKnown: isKnown),
      ], runner: runner)
    #expect((merged.schema != nil) == isKnown)
    let output = CollectedRows()
    try await runner.run(merged, into: output)
    #expect(output.schemas.map(\.names) == [["_source", "n", "letter"]])
    #expect(
      output.rows == [
        "“slow” | 0 | absent", "“slow” | 2 | absent", "“slow” | 4 | absent", "“letters” | 1 | “a”",
        "“letters” | 2 | “b”",
      ])
  }

  @Test func sourceThatIsSkippedLeavesTheOthers() async throws {
    let runner = Numbers.runner(width: 2)
    let failing = Numbers.source(
      "bad", below: 1, by: 1, failure: AggregateError(.unavailable, "gone"), onError: .skip)
    let merged = try RowSource.merged(
      "all", [failing, letterSource(isKnown: true)], runner: runner)
    let output = CollectedRows()
    try await runner.run(merged, into: output)
    #expect(output.rows == ["“bad” | 0 | absent", "“letters” | 1 | “a”", "“letters” | 2 | “b”"])
    #expect(failing.tally.status == .skipped)
  }

  @Test func failureComesAfterTheRowsOfEarlierSources() async throws {
    let runner = Numbers.runner(width: 2)
    let merged = try RowSource.merged(
      "all",
      [
        letterSource(isKnown: true),
        Numbers.source("bad", below: 2, by: 1, failure: AggregateError(.rejected, "no")),
        letterSource(isKnown: true),
      ], runner: runner)
    let output = CollectedRows()
    let error = await #expect(throws: AggregateError.self) {
      try await runner.run(merged, into: output)
    }
    #expect(error?.message == "no")
    #expect(output.rows.count == 4)
  }

  @Test func enoughRowsStopAllSources() async throws {
    let emitted = Counter()
    let runner = Numbers.runner(width: 2)
    let merged = try RowSource.merged(
      "all",
      ["a", "b"].map { Numbers.source($0, below: 100_000, by: 1, emitted: emitted) },
      runner: runner)
    let output = CollectedRows()
    try await runner.run(merged.appending([FirstStage(2)]), into: output)
    #expect(output.rows == ["“a” | 0", "“a” | 1"])
    #expect(emitted.value < 100)
  }
}
