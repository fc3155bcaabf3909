import AggregateCore
import AggregateFormats
import Synchronization

/// Keeps the rows of a run in memory.
final class CollectedRows: RunOutput, OutputCommit {
  private struct State {
    var schema = Schema([])
    var batches: [Batch] = []
  }

  private let state = Mutex(State())

  /// The rows as they came.
  var batches: [Batch] { state.withLock { $0.batches } }

  var rowCount: Int { batches.reduce(0) { $0 + $1.rowCount } }

  func begin(_ schema: Schema) { state.withLock { $0.schema = schema } }
  func prepare(_ batch: Batch) -> PreparedRows? { nil }
  func take(_ prepared: PreparedRows) -> Demand { .more }
  func flush() -> Demand { .more }
  func finish(isComplete: Bool) {}
  func commit() {}
  func discard() {}

  func take(_ batch: Batch) -> Demand {
    state.withLock { $0.batches.append(batch) }
    return .more
  }

  /// The columns as flat formats have them, and the rows under them.
  ///
  /// - Throws: ``AggregateError`` where these formats could not be written.
  func flat(_ policy: NewColumnPolicy) throws -> (columns: [String], batches: [Batch]) {
    let (schema, batches) = state.withLock { ($0.schema, $0.batches.filter { $0.rowCount > 0 }) }
    let first = batches.first ?? .empty(schema)
    let layout = try FlattenTransform(first.schema, learning: [first], policy: policy)
    return (layout.output.names, try batches.map { try layout.apply($0) })
  }

  /// The rows as CSV, as `-f csv` writes them.
  func csv(_ policy: NewColumnPolicy) throws -> String {
    let sink = MemorySink()
    guard let encoder = try OutputFactory.registry.encoder(named: "csv", OutputOptions()) else {
      throw AggregateError(.internal, "there is no CSV encoder")
    }
    let output = EncodedOutput(
      .encoder(encoder), isFlat: true, policy: policy, sink: sink, log: .silent)
    output.begin(state.withLock { $0.schema })
    for batch in batches { _ = try output.take(batch) }
    try output.finish(isComplete: true)
    return sink.text
  }
}

/// Keeps the bytes of an output in memory.
final class MemorySink: ByteSink {
  private let bytes = Mutex<[UInt8]>([])

  /// What was written.
  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  func write(_ more: UnsafeRawBufferPointer) -> Demand {
    bytes.withLock { $0.append(contentsOf: more) }
    return .more
  }

  func commit() {}
  func discard() {}
}
