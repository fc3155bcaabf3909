import AggregateCore
import AggregateTestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct PipelineRunnerTests {
  private let place = SourceLocation(file: "t", line: 1, column: 1)

  private func rows(_ range: Range<Int>) -> [String] { range.map(String.init) }

  @Test(arguments: [1, 4], [1, 2, 3, 7, 1024])
  func rowsKeepTheirOrder(_ width: Int, _ size: Int) async throws {
    let output = CollectedRows()
    try await Numbers.runner(width: width).run(
      Numbers.source(below: 500, by: size, stages: [DoubleStage()]), into: output)
    #expect(output.rows == (0..<500).map { String($0 * 2) })
    #expect(output.schemas == [Numbers.schema])
  }

  @Test(arguments: [1, 4], [true, false])
  func emptySourceHasItsSchema(_ width: Int, _ isKnown: Bool) async throws {
    let output = CollectedRows()
    try await Numbers.runner(width: width).run(
      Numbers.source(below: 0, by: 1, isKnown: isKnown, stages: [DoubleStage()]), into: output)
    #expect(output.rows.isEmpty)
    #expect(output.schemas == [Numbers.schema])
  }

  @Test(arguments: [1, 4]) func boundedStageStopsTheSourceAtOnce(_ width: Int) async throws {
    let output = CollectedRows()
    let emitted = Counter()
    try await Numbers.runner(width: width).run(
      Numbers.source(below: 1000, by: 1, stages: [FirstStage(3)], emitted: emitted), into: output)
    #expect(output.rows == ["0", "1", "2"])
    #expect(emitted.value <= 3)
  }

  @Test(arguments: [1, 4]) func enoughStopsTheSource(_ width: Int) async throws {
    for (output, stages) in [
      (CollectedRows(limit: 2), []), (CollectedRows(), [FirstStage(2, isBounded: false)]),
    ] as [(CollectedRows, [any Stage])] {
      let emitted = Counter()
      try await Numbers.runner(width: width).run(
        Numbers.source(below: 100_000, by: 1, stages: stages, emitted: emitted), into: output)
      #expect(output.rows == ["0", "1"])
      #expect(emitted.value < 100)
    }
  }

  @Test(arguments: [1, 4]) func failureComesAfterTheGoodRows(_ width: Int) async throws {
    let output = CollectedRows()
    let error = await #expect(throws: AggregateError.self) {
      try await Numbers.runner(width: width).run(
        Numbers.source(
          below: 20, by: 3, failure: AggregateError(.unavailable, "gone"), stages: [DoubleStage()]),
        into: output)
    }
    #expect(error?.message == "gone")
    #expect(output.rows == (0..<20).map { String($0 * 2) })
  }

  @Test(arguments: [1, 4]) func rowsBeforeAMalformedRecordAreKept(_ width: Int) async throws {
    let source = RowSource(name: "numbers", schema: Numbers.schema) { hooks in
      try await hooks.emit(Emission(.batch(Numbers.batch(0..<2))))
      try await hooks.emit(
        Emission(
          .deferred {
            Decoded(batches: [Numbers.batch(2..<4)], failure: AggregateError(.badData, "record 4"))
          }))
      for _ in 0..<100 { try await hooks.emit(Emission(.batch(Numbers.batch(9..<10)))) }
    }
    let output = CollectedRows()
    let error = await #expect(throws: AggregateError.self) {
      try await Numbers.runner(width: width).run(source, into: output)
    }
    #expect(error?.message == "record 4")
    #expect(output.rows == rows(0..<4))
  }

  @Test(arguments: [ErrorPolicy.skip, .partial])
  func sourceThatMayFailKeepsItsRows(_ policy: ErrorPolicy) async throws {
    let output = CollectedRows()
    let source = Numbers.source(
      below: 5, by: 2, failure: AggregateError(.unavailable, "gone"), onError: policy)
    try await Numbers.runner(width: 2).run(source, into: output)
    #expect(output.rows == rows(0..<5))
    #expect(source.tally.status == (policy == .skip ? .skipped : .partial))
    #expect(source.tally.failures.map(\.description) == ["numbers: gone"])
    #expect(source.tally.rows == 5)
  }

  @Test func mistakesOfTheConfigurationAreNeverSkipped() async throws {
    await #expect(throws: AggregateError.self) {
      try await Numbers.runner(width: 2).run(
        Numbers.source(
          below: 1, by: 1, failure: AggregateError(.configuration, "wrong"), onError: .skip),
        into: CollectedRows())
    }
  }

  @Test func stageThatDoesNotFitIsFoundWithoutReading() throws {
    let source = RowSource(
      name: "other", schema: Schema([ColumnSpec("x")]), stages: [DoubleStage()]
    ) { _ in Issue.record("the source is read") }
    #expect(throws: AggregateError.self) { try Numbers.runner(width: 1).check(source) }
  }

  @Test(arguments: [SideInput.Order.beforeMain, .afterMain], [true, false])
  func sideInputComesInItsTurn(_ order: SideInput.Order, _ isKnown: Bool) async throws {
    let side = SideInput(name: "side", location: place, order: order)
    let runner = Numbers.runner(
      width: 3,
      sides: ["side": Numbers.source("side", below: 3, by: 1, isKnown: isKnown)])
    let output = CollectedRows()
    let main = RowSource(
      name: "main", schema: Numbers.schema, stages: [FirstStage(10, isBounded: false, side: side)]
    ) { hooks in
      try await hooks.emit(Emission(.batch(Numbers.batch(50..<52))))
    }
    try await runner.run(main, into: output)
    let sideRows = rows(0..<3)
    #expect(
      output.rows == (order == .beforeMain ? sideRows + ["50", "51"] : ["50", "51"] + sideRows))
  }

  @Test func failingSideInputEndsTheRun() async throws {
    let side = SideInput(name: "side", location: place, order: .beforeMain)
    let failing = Numbers.source(
      "side", below: 1, by: 1, failure: AggregateError(.rejected, "no side"))
    let error = await #expect(throws: AggregateError.self) {
      try await Numbers.runner(width: 2, sides: ["side": failing]).run(
        Numbers.source(below: 5, by: 1, stages: [FirstStage(9, side: side)]), into: CollectedRows())
    }
    #expect(error?.message == "no side")
  }

  @Test(arguments: [1, 4]) func forEachHandsOnSchemaAndBatches(_ width: Int) async throws {
    let announced = Counter()
    let collected = CollectedRows()
    try await Numbers.runner(width: width).forEach(
      Numbers.source(below: 10, by: 3, stages: [DoubleStage()]),
      onSchema: { schema in
        #expect(schema == Numbers.schema)
        announced.increment()
      },
      { _ = collected.take($0) })
    #expect(announced.value == 1)
    #expect(collected.rows == (0..<10).map { String($0 * 2) })
  }

  @Test func bodyThatThrowsEndsTheReading() async throws {
    let emitted = Counter()
    await #expect(throws: AggregateError.self) {
      try await Numbers.runner(width: 2).forEach(
        Numbers.source(below: 100_000, by: 1, emitted: emitted)
      ) { _ in throw AggregateError(.output, "full") }
    }
    #expect(emitted.value < 100)
  }

  @Test func cancellationEndsTheRun() async throws {
    let source = RowSource(name: "slow", schema: Numbers.schema) { _ in
      try await Task.sleep(for: .seconds(30))
    }
    let task = Task {
      try await Numbers.runner(width: 2).run(source, into: CollectedRows())
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
