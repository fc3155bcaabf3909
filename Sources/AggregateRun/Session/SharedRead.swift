import AggregateCore
import Synchronization

/// One reading of a source that several readers take their rows from, such as the output and a
/// source that is read for each of its rows.
///
/// It runs at its own pace, for a reader that waits for another one could else hold up both. All that
/// it gives is kept for the readers that come later.
final class SharedRead: Sendable {
  private struct Parts: Sendable {
    var schema: Schema?
    var emissions: [Emission] = []
    /// What ended the reading; the rows before it are good.
    var failure: (any Error)?
  }

  private let reading = Mutex<Task<Parts, Never>?>(nil)

  /// Hands what `read` gives to `hooks`; only the first call has it run.
  ///
  /// - Throws: What `read` or the hooks throw.
  func run(
    _ hooks: RowSource.Hooks, _ read: @escaping @Sendable (RowSource.Hooks) async throws -> Void
  ) async throws {
    let task = reading.withLock { reading in
      if let task = reading { return task }
      let task = Task { await Self.parts(of: read) }
      reading = task
      return task
    }
    let parts = await task.value
    if let schema = parts.schema { _ = try await hooks.publish(schema) }
    for emission in parts.emissions { try await hooks.emit(emission) }
    if let failure = parts.failure { throw failure }
  }

  private static func parts(
    of read: @Sendable (RowSource.Hooks) async throws -> Void
  ) async -> Parts {
    let parts = Mutex(Parts())
    do {
      try await read(
        RowSource.Hooks(
          demand: .all,
          publish: { schema in
            parts.withLock { $0.schema = schema }
            return .all
          },
          emit: { emission in
            let decoded = decoded(emission.work).map { emission.of($0) }
            parts.withLock { $0.emissions += decoded }
          }))
    } catch { parts.withLock { $0.failure = error } }
    return parts.withLock { $0 }
  }

  /// Work that may be done more than once.
  private static func decoded(_ work: Work) -> [Work] {
    guard case .deferred(let decode) = work else { return [work] }
    let decoded = decode()
    let batches = decoded.batches.map { Work.batch($0) }
    guard let failure = decoded.failure else { return batches }
    return batches + [.deferred { Decoded(batches: [], failure: failure) }]
  }
}
