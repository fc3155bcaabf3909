import Synchronization

/// A stream that a stage takes in beside its main input, started when its schema or rows are needed.
final class SideStream: Sendable {
  private let source: RowSource
  private let runner: PipelineRunner
  private let known: Mutex<Schema?>
  private let queue = BoundedQueue<Batch>(capacity: 2)
  private let announced = BoundedQueue<Schema>(capacity: 1)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ source: RowSource, _ schema: Schema?, _ runner: PipelineRunner) {
    self.source = source
    self.runner = runner
    known = Mutex(schema)
  }

  /// The schema of the rows; without columns until it is known.
  var schema: Schema { known.withLock { $0 } ?? Schema([]) }

  /// Reads up to the schema; the rows wait until they are asked for.
  func learnSchema() async throws {
    _ = start()
    if let schema = try await announced.receive() { known.withLock { $0 = schema } }
  }

  /// The rows; the source begins to be read at the first call.
  func start() -> BoundedQueue<Batch> {
    task.withLock { task in
      guard task == nil else { return }
      task = Task { [source, runner, queue, announced] in
        do {
          try await runner.forEach(
            source, onSchema: { try await announced.send($0) }, { try await queue.send($0) })
          announced.finish()
          queue.finish()
        } catch {
          announced.finish(throwing: error)
          queue.finish(throwing: error)
        }
      }
    }
    return queue
  }

  /// Stops reading.
  func cancel() { task.withLock { $0?.cancel() } }
}
