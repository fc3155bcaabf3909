import AggregateCore
import AggregateTransport

/// Runs one source (or several merged) with its stages into its output.
package struct RunExecution: Sendable {
  /// What the run shares.
  let session: RunSession
  /// The rows, with the stages that were declared.
  let source: RowSource
  /// Where they go.
  let output: OutputFactory
  /// When the run began.
  let start: ContinuousClock.Instant

  /// Creates the execution of a run.
  ///
  /// - Parameter start: When the run began.
  package init(_ run: PreparedRun, start: ContinuousClock.Instant) {
    session = run.session
    source = run.source
    output = run.output
    self.start = start
  }

  /// What a run came to.
  struct Outcome {
    /// The exit code.
    let exit: Int32
    /// What is to be told: what ended the run, or what of it failed while the rest went on.
    let errors: [any Error]
    /// Whether something ended the run before its end.
    let isCut: Bool
  }

  /// Runs it.
  ///
  /// - Returns: The exit code.
  package func run() async throws -> Int32 {
    try check()
    let (rows, sink) = try output.open(
      log: session.log, redactor: session.redactor, hasColor: session.settings.output.hasColor)
    let outcome = await execute(into: rows, sink)
    try session.finish()
    tell(outcome.errors)
    try report(outcome.exit, rows: rows.rowCount)
    return outcome.exit
  }

  /// The most failures of one source that are told one by one.
  private static let maxTold = 5

  /// Tells what failed; of a thousand parts of one source that failed, the first few and a count.
  func tell(_ errors: [any Error]) {
    let isBrief = !session.settings.tellsEveryFailure && session.log.level < .verbose
    var told: [String: Int] = [:]
    for error in errors {
      let source = (error as? AggregateError)?.source ?? ""
      told[source, default: 0] += 1
      if !isBrief || told[source, default: 0] <= Self.maxTold {
        session.context.observer.failed(error)
      }
    }
    guard isBrief else { return }
    for (source, count) in told.sorted(by: { $0.key < $1.key }) where count > Self.maxTold {
      session.log.note("\(source): \(count - Self.maxTold) more failures (-v shows them)")
    }
  }

  /// Finds everything that can be wrong before data flows, before anything is asked or opened.
  func check() throws {
    _ = try session.runner.check(source)
    try throwIfStrict()
    // A run that stops early has not read its sources to their ends.
    if source.stages.contains(where: { $0.rowLimit != nil }) {
      session.leaveCursors(of: session.reports.map(\.name))
    }
  }

  /// Runs the rows into an output that is open, and makes it final.
  func execute(into rows: any RunOutput, _ sink: any OutputCommit) async -> Outcome {
    var failure: (any Error)?
    showProgress()
    defer { session.context.observer.runEnded() }
    do {
      try await session.runner.run(source, into: rows)
      try rows.finish(isComplete: true)
      try throwIfStrict()
      try sink.commit()
    } catch {
      failure = error
      // What came before the failure is whole rows; a file keeps what it had.
      try? rows.finish(isComplete: false)
      sink.discard()
    }
    if failure == nil {
      do { try session.saveCursors() } catch { failure = error }
    }
    session.log.reportLosses()
    if failure is CancellationError {
      failure = AggregateError(.interrupted, "interrupted")
    }
    let outcome = outcome(failure)
    for error in outcome.errors where failure != nil { noteFailure(error) }
    return outcome
  }

  /// Lets the observer show how far each source is, while the run goes on.
  private func showProgress() {
    guard session.log.level >= .normal else { return }
    let session = session
    session.context.observer.runBegan {
      session.reports.map { item in
        let figures = item.metrics.figures
        return SourceProgress(
          name: item.name, rows: item.tally.rows, requests: figures.requests,
          waited: figures.waited)
      }
    }
  }

  private func throwIfStrict() throws {
    guard session.log.isStrict, let warning = session.log.warnings.first else { return }
    // A warning that was told already is not told twice.
    throw AggregateError(
      .badData,
      session.log.level >= .normal ? "the run ends for its warnings" : warning,
      hint: "--strict makes warnings errors")
  }

  private func noteFailure(_ failure: any Error) {
    guard let error = failure as? AggregateError else { return }
    let reports = session.reports
    let failed = reports.first { $0.name == error.source } ?? reports.first
    failed?.tally.fail(error, .failed)
  }

  private func outcome(_ failure: (any Error)?) -> Outcome {
    let tallies = session.reports.map(\.tally)
    let isAnomaly = tallies.contains { $0.failures.contains { $0.code == .pagination } }
    if let failure {
      let isInterruption = (failure as? AggregateError)?.code == .interrupted
      return Outcome(
        exit: isAnomaly ? AggregateError.Code.pagination.exit : ExitCode.of(failure),
        errors: isInterruption ? [] : [failure], isCut: true)
    }
    let isIncomplete = tallies.contains { $0.status == .skipped || $0.status == .partial }
    guard isIncomplete || isAnomaly else { return Outcome(exit: 0, errors: [], isCut: false) }
    // A part of a source was kept, or another source gave rows in place of the one left out.
    let hasRows = tallies.contains { $0.status == .partial || ($0.status == .ok && $0.rows > 0) }
    let exit: Int32 = isAnomaly ? 4 : hasRows ? 3 : 1
    return Outcome(exit: exit, errors: tallies.flatMap(\.failures), isCut: false)
  }

  /// A source that the end of the run cut off was left out, whatever it had given.
  private func status(of tally: SourceTally, _ exit: Int32) -> SourceTally.Status {
    tally.status == .ok && !tally.isFinished && exit != 0 ? .skipped : tally.status
  }

  private func report(_ exit: Int32, rows: Int) throws {
    let elapsed = start.duration(to: .now)
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    let report = RunReport(
      exit: exit, rows: rows, seconds: seconds,
      sources: session.reports.map { item in
        RunReport.Source(
          name: item.name, status: status(of: item.tally, exit), rows: item.tally.rows,
          pages: item.metrics.figures.requests - item.metrics.figures.retries,
          figures: item.metrics.figures,
          error: item.tally.failures.first.map { session.redactor.redact($0.description) },
          stop: item.tally.stop)
      }, hosts: session.hosts)
    switch session.settings.report {
    case .json: session.context.observer.reported(report.json)
    case .jsonFile(let path):
      try AtomicFile.replace(path, with: session.redactor.redact(report.json) + "\n")
    case .text:
      for line in report.lines { session.log.note(line) }
    }
  }
}
