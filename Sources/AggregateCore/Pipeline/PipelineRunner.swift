import Synchronization

/// Runs sources through stages into an output.
///
/// Chunks are decoded, and stages that look at one row at a time are run, on all cores; what keeps
/// state runs in one task, in order. So the output does not depend on how many threads there are.
public struct PipelineRunner: Sendable {
  let context: StageContext
  private let width: Int
  let resolve: @Sendable (SideInput) throws -> RowSource

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - context: What stages may use.
  ///   - width: How many chunks are worked on at once.
  ///   - resolve: Finds the source that a stage names as a side input.
  public init(
    context: StageContext, width: Int,
    resolve: @escaping @Sendable (SideInput) throws -> RowSource
  ) {
    self.context = context
    self.width = max(1, width)
    self.resolve = resolve
  }

  /// Binds the stages of `source` without reading anything.
  ///
  /// - Returns: The schema after its stages; nil when only the data can tell.
  /// - Throws: ``DiagnosticsError`` when a stage does not fit.
  public func check(_ source: RowSource) throws -> Schema? {
    try schemas(of: source)?.last
  }

  /// The schema of `source` before its stages and after each of them; nil when only the data can tell.
  public func schemas(of source: RowSource) throws -> [Schema]? {
    let plan = try plan(of: source)
    guard let input = plan.input, plan.outputs.allSatisfy({ $0 != nil }) else { return nil }
    return [input] + plan.outputs.compactMap(\.self)
  }

  /// Reads `source` through its stages into `output`.
  ///
  /// - Throws: What ended the run; rows before it were handed to the output.
  public func run(_ source: RowSource, into output: any RowOutput) async throws {
    try await ChainRun(source, output, context, width, self, resolve).run()
  }

  /// Reads `source` through its stages and hands each batch to `body`, in order.
  ///
  /// - Parameter onSchema: Told the schema before the first batch.
  public func forEach(
    _ source: RowSource, onSchema: @escaping @Sendable (Schema) async throws -> Void = { _ in },
    _ body: @escaping @Sendable (Batch) async throws -> Void
  ) async throws {
    let queue = BoundedQueue<Batch>(capacity: 2)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await self.run(source, into: QueueOutput(queue: queue, onSchema: onSchema))
          queue.finish()
        } catch {
          queue.finish(throwing: error)
        }
      }
      do {
        while let batch = try await queue.receive() { try await body(batch) }
      } catch {
        group.cancelAll()
        queue.finish()
        throw error
      }
    }
  }
}

/// Hands batches to a queue. What a stage emits is kept until the queue takes it.
private final class QueueOutput: RowOutput {
  private let queue: BoundedQueue<Batch>
  private let onSchema: @Sendable (Schema) async throws -> Void
  private let schema = Mutex<Schema?>(nil)
  private let pending = Mutex<[Batch]>([])

  init(queue: BoundedQueue<Batch>, onSchema: @escaping @Sendable (Schema) async throws -> Void) {
    self.queue = queue
    self.onSchema = onSchema
  }

  func begin(_ schema: Schema) { self.schema.withLock { $0 = schema } }
  func prepare(_ batch: Batch) -> PreparedRows? { nil }
  func take(_ prepared: PreparedRows) -> Demand { .more }
  func flush() -> Demand { .more }

  func take(_ batch: Batch) -> Demand {
    pending.withLock { $0.append(batch) }
    return .more
  }

  func drain() async throws {
    let announced = schema.withLock { schema in
      defer { schema = nil }
      return schema
    }
    if let announced { try await onSchema(announced) }
    let batches = pending.withLock { pending in
      defer { pending = [] }
      return pending
    }
    for batch in batches where batch.rowCount > 0 { try await queue.send(batch) }
  }
}
