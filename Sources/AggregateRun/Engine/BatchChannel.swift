import AggregateCore
import Synchronization

/// Hands the batches of a run to whoever asks for them, one at a time.
///
/// A batch counts as taken once the reader asks for the next one; so a run ends, and moves its
/// cursors, only after the reader has come back from its last rows.
final class BatchChannel: RunOutput, OutputCommit {
  private struct State {
    var rowCount = 0
    var pending: [Batch] = []
    /// Whether the reader has a batch that it has not come back from.
    var isReading = false
  }

  private let state = Mutex(State())
  private let batches = BoundedQueue<Batch>(capacity: 1)
  private let taken = BoundedQueue<Void>(capacity: 1)

  var rowCount: Int { state.withLock { $0.rowCount } }

  func begin(_ schema: Schema) {}
  func prepare(_ batch: Batch) -> PreparedRows? { nil }
  func take(_ prepared: PreparedRows) -> Demand { .more }
  func flush() -> Demand { .more }
  func finish(isComplete: Bool) {}
  func commit() {}
  func discard() {}

  func take(_ batch: Batch) -> Demand {
    guard batch.rowCount > 0 else { return .more }
    state.withLock { state in
      state.rowCount += batch.rowCount
      state.pending.append(batch)
    }
    return .more
  }

  func drain() async throws {
    let pending = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    for batch in pending {
      try await batches.send(batch)
      _ = try await taken.receive()
      try Task.checkCancellation()
    }
  }

  /// The next batch; nil after the last one.
  ///
  /// - Throws: What the channel was ended with.
  func next() async throws -> Batch? {
    let wasReading = state.withLock { state in
      defer { state.isReading = false }
      return state.isReading
    }
    // Refused once the run has ended: then nobody waits for it.
    if wasReading { try? await taken.send(()) }
    guard let batch = try await batches.receive() else { return nil }
    state.withLock { $0.isReading = true }
    return batch
  }

  /// Ends the channel; nothing is taken any more.
  func end(throwing error: (any Error)? = nil) {
    batches.finish(throwing: error)
    taken.finish()
  }
}
