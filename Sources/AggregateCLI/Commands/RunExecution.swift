import AggregateCore
import AggregateStages
import AggregateTransport

/// Runs one source (or several merged) with the stages of the command line into its output.
struct RunExecution: Sendable {
  /// What the run shares.
  let session: RunSession
  /// The rows, with the stages that were declared.
  let source: RowSource
  /// Where they go.
  let output: OutputFactory
  /// When the run began.
  let start: ContinuousClock.Instant

  /// The stages that the options of the command line stand for, in the order written.
  ///
  /// - Throws: ``DiagnosticsError`` when one is not well-formed.
  /// - Parameter own: Names of options that mean something else to the command.
  static func stages(
    _ options: RunOptions, _ program: Program, except own: Set<String> = []
  ) throws -> [any Stage] {
    var diagnostics = Diagnostics()
    var stages: [any Stage] = []
    for option in options.arguments.options where !own.contains(option.name) {
      let node: Node?
      if option.name == "stage", let text = option.value {
        node = StageText.node(text, &diagnostics)
      } else {
        node = StageArguments.shorthand(option: option.name, value: option.value)
      }
      if let node, let stage = program.stages.make(node, &diagnostics) { stages.append(stage) }
    }
    try diagnostics.throwIfErrors()
    return stages
  }

  /// Runs it.
  ///
  /// - Returns: The exit code.
  func run() async throws -> Int32 {
    let runner = session.runner
    // Everything that can be wrong before data flows is found before anything is asked or opened.
    _ = try runner.check(source)
    try throwIfStrict()
    let (rows, sink) = try output.open(log: session.log, hasColor: session.console.hasColor)
    var failure: (any Error)?
    do {
      try await runner.run(source, into: rows)
      try rows.finish(isComplete: true)
      try throwIfStrict()
      try sink.commit()
    } catch {
      failure = error
      // What came before the failure is whole rows; a file keeps what it had.
      try? rows.finish(isComplete: false)
      sink.discard()
    }
    session.log.reportLosses()
    if failure is CancellationError {
      failure = AggregateError(.interrupted, "interrupted")
    }
    try session.finishRecording()
    let exit = exitCode(failure)
    if let failure, (failure as? AggregateError)?.code != .interrupted {
      noteFailure(failure)
      session.console.error(failure)
    }
    try report(exit, rows: rows.rowCount)
    return exit
  }

  private func throwIfStrict() throws {
    guard session.log.isStrict, let warning = session.log.warnings.first else { return }
    throw AggregateError(.badData, warning, hint: "--strict makes warnings errors")
  }

  private func noteFailure(_ failure: any Error) {
    guard let error = failure as? AggregateError else { return }
    let reports = session.reports
    let failed = reports.first { $0.name == error.source } ?? reports.first
    failed?.tally.fail(error, .failed)
  }

  private func exitCode(_ failure: (any Error)?) -> Int32 {
    let tallies = session.reports.map(\.tally)
    if tallies.contains(where: { $0.failures.contains { $0.code == .pagination } }) { return 4 }
    switch failure {
    case let error as AggregateError: return error.code.exit
    case is DiagnosticsError: return 2
    case .some: return 1
    case nil: break
    }
    guard tallies.contains(where: { $0.status == .skipped || $0.status == .partial }) else {
      return 0
    }
    for tally in tallies {
      for error in tally.failures { session.console.error(error) }
    }
    return tallies.contains { $0.rows > 0 } ? 3 : 1
  }

  private func report(_ exit: Int32, rows: Int) throws {
    let elapsed = start.duration(to: .now)
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let report = RunReport(
      exit: exit, rows: rows, seconds: seconds,
      sources: session.reports.map { item in
        RunReport.Source(
          name: item.name, status: item.tally.status, rows: item.tally.rows,
          pages: item.metrics.figures.requests - item.metrics.figures.retries,
          figures: item.metrics.figures,
          error: item.tally.failures.first.map { session.redactor.redact($0.description) })
      })
    switch session.options.report {
    case .jsonOnStandardError: session.console.line(report.json)
    case .jsonFile(let path):
      let file = try AtomicFile(path)
      var text = session.redactor.redact(report.json) + "\n"
      _ = try text.withUTF8 { try file.write(UnsafeRawBufferPointer($0)) }
      try file.commit()
    case .text:
      for line in report.lines { session.log.note(line) }
    }
  }
}
