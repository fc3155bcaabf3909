public import AggregateCore

/// The rows of a source or a pipeline as they come, in batches of up to some thousands.
public struct EngineRows: AsyncSequence, Sendable {
  let prepare: @Sendable () throws -> RunExecution

  /// Starts a run with the first batch that is asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(prepare) }

  /// One run; letting go of it stops the requests.
  public struct Iterator: AsyncIteratorProtocol {
    private let prepare: @Sendable () throws -> RunExecution
    private var flow: Flow?
    private var isFinished = false

    init(_ prepare: @escaping @Sendable () throws -> RunExecution) { self.prepare = prepare }

    /// The next batch; nil after the last one.
    ///
    /// - Throws: ``DiagnosticsError`` or ``AggregateError`` that ended the run, after the rows before
    ///   it; `CancellationError` when the task is cancelled, once the requests have stopped.
    public mutating func next() async throws -> Batch? {
      if isFinished { return nil }
      do {
        try Task.checkCancellation()
        let flow = try flow ?? Flow(prepare())
        self.flow = flow
        if let batch = try await flow.next() { return batch }
        isFinished = true
        self.flow = nil
        return nil
      } catch {
        isFinished = true
        flow = nil
        throw error
      }
    }
  }
}

/// The task of a run, which ends with the iterator that made it.
private final class Flow: Sendable {
  private let channel = BatchChannel()
  private let task: Task<Void, Never>

  init(_ execution: RunExecution) throws {
    try execution.check()
    let channel = channel
    task = Task { await Self.run(execution, into: channel) }
  }

  deinit { task.cancel() }

  func next() async throws -> Batch? {
    try await withTaskCancellationHandler {
      do {
        return try await channel.next()
      } catch {
        task.cancel()
        // What was asked is let go before the error is.
        await task.value
        throw error
      }
    } onCancel: {
      task.cancel()
    }
  }

  private static func run(_ execution: RunExecution, into channel: BatchChannel) async {
    let outcome = await execution.execute(into: channel, channel)
    do { try execution.session.finish() } catch { return channel.end(throwing: error) }
    if Task.isCancelled { return channel.end(throwing: CancellationError()) }
    // A run whose sources were all left out, or whose paging went wrong, has failed.
    let isFailure = outcome.isCut || outcome.exit != 0 && outcome.exit != partial
    if isFailure {
      return channel.end(
        throwing: outcome.errors.first ?? AggregateError(.interrupted, "interrupted"))
    }
    execution.tell(outcome.errors)
    channel.end()
  }

  /// The exit code of a run that left something out and gave the rest.
  private static let partial: Int32 = 3
}
