import AggregateCore
import AggregateFormats
import Synchronization

/// Writes rows to a sink in one format.
///
/// The first batch decides how nested values are laid out in a flat format; from then on, batches are
/// encoded by whichever thread made them, and written in order.
final class EncodedOutput: RowOutput {
  /// How the rows become bytes.
  enum Encoding {
    /// Batch by batch, on any thread.
    case encoder(any BatchEncoder)
    /// In order, by one thread.
    case writer(any Writer)
  }

  private struct State {
    var schema: Schema?
    var layout: FlattenTransform?
    var isLaidOut = false
    var hasBegun = false
    var isClosed = false
    var rowCount = 0
  }

  private let encoder: (any BatchEncoder)?
  /// Used only by the task that hands batches over in order.
  private nonisolated(unsafe) let writer: (any Writer)?
  private let sink: any ByteSink
  private let isFlat: Bool
  private let policy: NewColumnPolicy
  private let log: RunLog
  private let state = Mutex(State())

  init(
    _ encoding: Encoding, isFlat: Bool, policy: NewColumnPolicy, sink: any ByteSink, log: RunLog
  ) {
    switch encoding {
    case .encoder(let encoder):
      self.encoder = encoder
      writer = nil
    case .writer(let writer):
      encoder = nil
      self.writer = writer
    }
    self.isFlat = isFlat
    self.policy = policy
    self.sink = sink
    self.log = log
  }

  /// How many rows were written.
  var rowCount: Int { state.withLock { $0.rowCount } }

  func begin(_ schema: Schema) { state.withLock { $0.schema = schema } }

  func prepare(_ batch: Batch) throws -> PreparedRows? {
    guard let encoder else { return nil }
    let (ready, layout) = state.withLock { ($0.hasBegun, $0.layout) }
    guard ready else { return nil }
    let flat = try layout?.apply(batch) ?? batch
    var bytes = ByteBuilder(capacity: max(4096, flat.rowCount * 64))
    try encoder.encode(flat, into: &bytes)
    return PreparedRows(bytes: bytes.finish(), rowCount: flat.rowCount)
  }

  func take(_ batch: Batch) throws -> Demand {
    if batch.rowCount == 0 { return .more }
    try lay(out: batch)
    let layout = state.withLock { $0.layout }
    let flat = try layout?.apply(batch) ?? batch
    var bytes = ByteBuilder(capacity: 64 * 1024)
    let demand = try open(flat.schema)
    if demand == .enough { return .enough }
    if let writer {
      try writer.write(flat, into: &bytes)
    } else if let encoder {
      try encoder.encode(flat, into: &bytes)
    }
    return try put(bytes.finish(), rows: flat.rowCount)
  }

  func take(_ prepared: PreparedRows) throws -> Demand {
    try put(prepared.bytes, rows: prepared.rowCount)
  }

  func flush() throws -> Demand { state.withLock { $0.isClosed } ? .enough : .more }

  /// Ends the output: an empty result still has its header.
  ///
  /// - Parameter isComplete: Whether the run succeeded; after a failure nothing is begun any more.
  func finish(isComplete: Bool) throws {
    let (hasBegun, schema, isClosed) = state.withLock { ($0.hasBegun, $0.schema, $0.isClosed) }
    if isClosed { return }
    if !hasBegun {
      guard isComplete else { return }
      let empty = Batch.empty(schema ?? Schema([]))
      try lay(out: empty)
      let layout = state.withLock { $0.layout }
      if try open(layout?.apply(empty).schema ?? empty.schema) == .enough { return }
    }
    var bytes = ByteBuilder()
    if let writer {
      try writer.finish(into: &bytes)
    } else if let encoder {
      bytes.append(encoder.epilogue(isEmpty: rowCount == 0))
    }
    _ = try put(bytes.finish(), rows: 0)
  }

  /// Decides the layout of a flat format from the first rows.
  private func lay(out batch: Batch) throws {
    guard isFlat, state.withLock({ !$0.isLaidOut }) else { return }
    let layout = try FlattenTransform(batch.schema, learning: [batch], policy: policy)
    state.withLock {
      $0.layout = layout
      $0.isLaidOut = true
    }
  }

  private func open(_ schema: Schema) throws -> Demand {
    guard state.withLock({ !$0.hasBegun }) else { return .more }
    var bytes = ByteBuilder()
    if let writer {
      try writer.begin(schema, into: &bytes)
    } else if let encoder {
      bytes.append(try encoder.prologue(schema))
    }
    state.withLock { $0.hasBegun = true }
    return try put(bytes.finish(), rows: 0)
  }

  /// Writes bytes; the first row's separator is cut off.
  private func put(_ bytes: ByteBuffer, rows: Int) throws -> Demand {
    let isFirst = state.withLock { state in
      defer { state.rowCount += rows }
      return state.rowCount == 0 && rows > 0
    }
    let skipped = isFirst ? encoder?.separatorLength ?? 0 : 0
    let demand = try bytes.withUnsafeBytes { all in
      try sink.write(UnsafeRawBufferPointer(rebasing: all[min(skipped, all.count)...]))
    }
    if demand == .enough { state.withLock { $0.isClosed = true } }
    return demand
  }
}
