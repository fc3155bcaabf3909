import Synchronization

/// Something that gives rows: a declared source, a file, or several merged.
public struct RowSource: Sendable {
  /// What reading a source may call.
  public struct Hooks: Sendable {
    /// What the stages want, when the schema was known in advance.
    public let demand: ColumnDemand
    /// Publishes the schema when it was not known in advance; gives what the stages want.
    public let publish: @Sendable (Schema) async throws -> ColumnDemand
    /// Hands rows on; throws `CancellationError` when no more are wanted.
    public let emit: @Sendable (Emission) async throws -> Void

    /// Creates hooks.
    public init(
      demand: ColumnDemand, publish: @escaping @Sendable (Schema) async throws -> ColumnDemand,
      emit: @escaping @Sendable (Emission) async throws -> Void
    ) {
      self.demand = demand
      self.publish = publish
      self.emit = emit
    }
  }

  /// What becomes of the rows of the source before its stages, batch by batch in order, where that keeps state
  /// between rows.
  public typealias Head = @Sendable (Batch, Emission) throws -> Batch

  /// The name, for messages and for `_source`.
  public let name: String
  /// The schema of the rows that ``read`` emits, when it is known in advance.
  public let schema: Schema?
  /// Stages that belong to the source.
  public let stages: [any Stage]
  /// What happens when it fails.
  public let onError: ErrorPolicy
  /// How it went, filled while it runs.
  public let tally: SourceTally
  /// What keeps state between rows before the stages; nil for nothing.
  public let head: Head?
  /// Emits the rows.
  public let read: @Sendable (Hooks) async throws -> Void

  /// Creates a source.
  public init(
    name: String, schema: Schema?, stages: [any Stage] = [], onError: ErrorPolicy = .fail,
    tally: SourceTally = SourceTally(), head: Head? = nil,
    read: @escaping @Sendable (Hooks) async throws -> Void
  ) {
    self.head = head
    self.name = name
    self.schema = schema
    self.stages = stages
    self.onError = onError
    self.tally = tally
    self.read = read
  }

  /// The same source with a tally of its own.
  public func withNewTally() -> RowSource {
    RowSource(
      name: name, schema: schema, stages: stages, onError: onError, head: head, read: read)
  }

  /// The same source with further stages behind its own.
  public func appending(_ more: [any Stage]) -> RowSource {
    RowSource(
      name: name, schema: schema, stages: stages + more, onError: onError, tally: tally, head: head,
      read: read)
  }
}

/// How a source went.
public final class SourceTally: Sendable {
  /// How it ended.
  public enum Status: String, Sendable {
    /// All rows were read, or all that were wanted.
    case ok
    /// It failed, and the run with it.
    case failed
    /// It failed and was left out.
    case skipped
    /// It failed and rows of an earlier run took its place.
    case stale
    /// A part of it failed.
    case partial
  }

  private struct State {
    var rows = 0
    var status = Status.ok
    var isFinished = false
    var failures: [AggregateError] = []
    var stop: String?
  }

  private let state = Mutex(State())

  /// Creates an empty tally.
  public init() {}

  /// Adds rows that were handed on.
  public func add(rows: Int) { state.withLock { $0.rows += rows } }

  /// Notes a failure and what became of the source.
  public func fail(_ error: AggregateError, _ status: Status) {
    state.withLock {
      $0.failures.append(error)
      $0.status = status
    }
  }

  /// Notes the option at which reading ended though there was more.
  public func stop(_ option: String) { state.withLock { $0.stop = option } }

  /// The option at which reading ended though there was more; nil when it came to its end.
  public var stop: String? { state.withLock { $0.stop } }

  /// Notes that all rows that were wanted have been read.
  public func finish() { state.withLock { $0.isFinished = true } }

  /// Whether all rows that were wanted have been read, as far as the source did not fail.
  public var isFinished: Bool { state.withLock { $0.isFinished } }
  /// How many rows were handed on.
  public var rows: Int { state.withLock { $0.rows } }
  /// How it ended.
  public var status: Status { state.withLock { $0.status } }
  /// Its failures, in order.
  public var failures: [AggregateError] { state.withLock { $0.failures } }
}
