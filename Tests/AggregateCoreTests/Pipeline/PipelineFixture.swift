import AggregateCore
import AggregateTestSupport
import Synchronization

/// Keeps what comes out of a pipeline.
final class CollectedRows: RowOutput {
  private struct State {
    var schemas: [Schema] = []
    var batches: [Batch] = []
  }

  private let state = Mutex(State())
  private let limit: Int

  /// Says `.enough` after `limit` rows.
  init(limit: Int = .max) { self.limit = limit }

  var batches: [Batch] { state.withLock { $0.batches } }
  var rows: [String] { TestRows.shown(batches) }
  var schemas: [Schema] { state.withLock { $0.schemas } }

  func begin(_ schema: Schema) { state.withLock { $0.schemas.append(schema) } }
  func prepare(_ batch: Batch) -> PreparedRows? { nil }
  func take(_ prepared: PreparedRows) -> Demand { .more }
  func flush() -> Demand { .more }

  func take(_ batch: Batch) -> Demand {
    state.withLock { state in
      if batch.rowCount > 0 { state.batches.append(batch) }
      return state.batches.reduce(0) { $0 + $1.rowCount } >= limit ? .enough : .more
    }
  }
}

/// Doubles the column `n`; takes longer for smaller values, so that later chunks are ready earlier.
struct DoubleStage: Stage {
  static let spec = StageSpec(
    "double", "Doubles n.", options: [], shorthand: .none, example: "double: {}")

  init() {}
  init(_ options: Options, _ diagnostics: inout Diagnostics) {}

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    guard let index = schema.index(of: "n") else {
      throw AggregateError(.configuration, "there is no column “n”")
    }
    return .rows(Doubling(output: schema, index: index))
  }

  private struct Doubling: RowTransform {
    let output: Schema
    let index: Int

    func apply(_ batch: Batch) throws -> Batch {
      var columns = batch.columns
      let values = (0..<batch.rowCount).map { row in
        (Int64(batch.columns[index].value(at: row).displayText) ?? 0) * 2
      }
      columns[index] = .ints(Vector(values))
      return Batch(schema: output, columns: columns, rowCount: batch.rowCount)
    }
  }
}

/// Lets `count` rows through; with a side, adds its rows before or after.
struct FirstStage: Stage {
  static let spec = StageSpec(
    "first", "The first rows.", options: [], shorthand: .none, example: "first: 1")

  let count: Int
  var isBounded = true
  var side: SideInput?

  init(_ count: Int, isBounded: Bool = true, side: SideInput? = nil) {
    self.count = count
    self.isBounded = isBounded
    self.side = side
  }

  init(_ options: Options, _ diagnostics: inout Diagnostics) { self.init(0) }

  var rowLimit: Int? { isBounded ? count : nil }
  var sideInputs: [SideInput] { side.map { [$0] } ?? [] }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    .stream(output: schema) { [count] in First(count) }
  }

  private final class First: StreamTransform {
    private var left: Int

    init(_ count: Int) { left = count }

    func process(
      _ batch: Batch, input: Int, emit: (Batch) throws -> Demand
    ) throws -> Demand {
      if input > 0 { return try emit(batch) }
      let part = batch.sliced(0..<min(left, batch.rowCount))
      left -= part.rowCount
      let demand = try emit(part)
      return left == 0 ? .enough : demand
    }

    func finish(input: Int, emit: (Batch) throws -> Demand) throws {}
  }
}

/// Sources of numbers.
enum Numbers {
  static let schema = Schema([ColumnSpec("n", .int)])

  static func batch(_ values: some Sequence<Int>) -> Batch {
    var builder = BatchBuilder(schema: schema)
    for value in values {
      builder.append(value)
      builder.endRow()
    }
    return builder.finish()
  }

  /// The numbers below `count`, in chunks of `size` decoded late; then `failure`.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the schema is known before it is read.
  ///   - emitted: Counts the chunks that were taken.
  static func source(
    _ name: String = "numbers", below count: Int, by size: Int, isKnown: Bool = true,
    failure: AggregateError? = nil, onError: ErrorPolicy = .fail, stages: [any Stage] = [],
    emitted: Counter? = nil
  ) -> RowSource {
    RowSource(
      name: name, schema: isKnown ? schema : nil, stages: stages, onError: onError
    ) { hooks in
      if !isKnown { _ = try await hooks.publish(schema) }
      for start in stride(from: 0, to: count, by: size) {
        try await hooks.emit(
          Emission(
            .deferred {
              Decoded(batches: [batch(start..<min(start + size, count))])
            }))
        emitted?.increment()
      }
      if let failure { throw failure }
    }
  }

  static func runner(
    width: Int, sides: [String: RowSource] = [:]
  ) -> PipelineRunner {
    PipelineRunner(
      context: StageContext(log: .silent, maxMemory: 1_000_000, temporaryDirectory: "/tmp"),
      width: width
    ) { side in
      guard let source = sides[side.name] else {
        throw AggregateError(.configuration, "there is no source “\(side.name)”")
      }
      return source
    }
  }
}
