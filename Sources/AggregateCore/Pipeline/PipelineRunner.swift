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

/// One run of one source through one chain.
private final class ChainRun: Sendable {
  /// What a worker made of one piece of work.
  private struct Processed: Sendable {
    var batches: [Batch] = []
    var prepared: [PreparedRows] = []
    var rowsRead = 0
    var failure: (any Error)?
  }

  /// The chain bound to the published schema and, from the first batch on, to the one that flows.
  ///
  /// They differ when the source reads only what is wanted.
  private struct Binding {
    var published: StageChain?
    var flowing: StageChain?
    /// Whether `published` stands in for stages that name columns of an input that has none.
    var isStandIn = false
  }

  /// A piece of work, and how its sender learns that it was processed.
  private struct Item: Sendable {
    let work: Work
    let done: BoundedQueue<Void>?
  }

  /// A piece of work that was begun.
  private enum Job {
    case started(Task<Processed, Never>)
    case done(Processed)

    var result: Processed {
      get async {
        switch self {
        case .started(let task): await task.value
        case .done(let result): result
        }
      }
    }

    func cancel() {
      if case .started(let task) = self { task.cancel() }
    }
  }

  private static let fewRows = 64

  private let source: RowSource
  private let output: any RowOutput
  private let context: StageContext
  private let width: Int
  private let runner: PipelineRunner
  private let resolve: @Sendable (SideInput) throws -> RowSource
  private let binding = Mutex(Binding())
  private let sides = Mutex<[String: SideStream]>([:])
  /// Whether the sender must wait until its rows were processed, so that nothing is requested in vain.
  private let isBounded: Bool

  init(
    _ source: RowSource, _ output: any RowOutput, _ context: StageContext, _ width: Int,
    _ runner: PipelineRunner, _ resolve: @escaping @Sendable (SideInput) throws -> RowSource
  ) {
    self.source = source
    self.output = output
    self.context = context
    self.width = width
    self.runner = runner
    self.resolve = resolve
    isBounded = source.stages.contains { $0.rowLimit != nil }
  }

  func run() async throws {
    var demand = ColumnDemand.all
    defer { for side in sides.withLock({ Array($0.values) }) { side.cancel() } }
    if let schema = source.schema {
      try await learnSideSchemas()
      demand = try publish(schema)
    }
    let knownDemand = demand
    let queue = BoundedQueue<Item>(capacity: isBounded ? 1 : width)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await self.read(knownDemand, into: queue) }
      do {
        try await self.consume(queue)
      } catch {
        group.cancelAll()
        queue.finish()
        throw error
      }
      source.tally.finish()
      // The reader may still be at work when enough rows came.
      group.cancelAll()
      queue.finish()
    }
  }

  /// The task that reads the source.
  private func read(_ demand: ColumnDemand, into queue: BoundedQueue<Item>) async {
    do {
      try await source.read(
        RowSource.Hooks(
          demand: demand,
          publish: { schema in
            try await self.learnSideSchemas()
            return try self.publish(schema)
          },
          emit: { work in
            guard self.isBounded else { return try await queue.send(Item(work: work, done: nil)) }
            let done = BoundedQueue<Void>(capacity: 1)
            try await queue.send(Item(work: work, done: done))
            _ = try await done.receive()
            try Task.checkCancellation()
          }))
      queue.finish()
    } catch {
      queue.finish(throwing: error)
    }
  }

  /// The task that takes the work in order.
  private func consume(_ queue: BoundedQueue<Item>) async throws {
    var tail: ChainTail?
    var running: [(job: Job, item: Item)] = []
    var ended = false
    var readFailure: (any Error)?
    defer { for entry in running { entry.job.cancel() } }
    while true {
      while !ended && running.count < width {
        if !running.isEmpty, !queue.hasElements { break }
        do {
          guard let item = try await queue.receive() else {
            ended = true
            break
          }
          running.append((start(item.work), item))
        } catch {
          ended = true
          readFailure = error
        }
      }
      guard !running.isEmpty else { break }
      let (job, item) = running.removeFirst()
      let processed = await job.result
      if tail == nil, processed.rowsRead > 0 || processed.failure == nil {
        tail = try await start()
      }
      // A sender that waits goes on only when more is wanted: enough means cancelled, not finished.
      // What is wrong behind the last row that is wanted does not matter.
      if try await !take(processed, tail) {
        try await finish(tail)
        return
      }
      if let failure = processed.failure {
        readFailure = failure
        break
      }
      item.done?.finish()
      if running.isEmpty, !queue.hasElements {
        if try output.flush() == .enough { return }
        try await output.drain()
      }
    }
    if let readFailure {
      guard source.onError != .fail, let error = readFailure as? AggregateError,
        error.code.endsOnePart
      else { throw readFailure }
      source.tally.fail(
        error.of(source: source.name), source.onError == .partial ? .partial : .skipped)
    }
    if tail == nil { tail = try await start() }
    try await finish(tail)
  }

  /// Begins with a piece of work. For a few rows another task would cost more than it gains.
  private func start(_ work: Work) -> Job {
    if case .batch(let batch) = work, batch.rowCount <= Self.fewRows { return .done(process(work)) }
    return .started(Task { self.process(work) })
  }

  /// Decodes and transforms one piece of work; runs on any thread.
  private func process(_ work: Work) -> Processed {
    var result = Processed()
    let decoded: Decoded
    switch work {
    case .batch(let batch): decoded = Decoded(batches: [batch])
    case .deferred(let decode): decoded = decode()
    }
    result.failure = decoded.failure
    do {
      for batch in decoded.batches where batch.rowCount > 0 {
        let chain = try chain(flowing: batch.schema)
        let prefix = chain.rowPrefix
        let adapted = batch.schema == chain.input ? batch : try batch.adapted(to: chain.input)
        let transformed = try chain.applyPrefix(adapted, end: prefix)
        result.rowsRead += batch.rowCount
        if prefix == chain.links.count, result.batches.isEmpty,
          let prepared = try output.prepare(transformed)
        {
          result.prepared.append(prepared)
        } else {
          result.batches.append(transformed)
        }
      }
    } catch {
      result.failure = error
    }
    return result
  }

  /// Hands what a worker made to the rest of the chain and the output.
  ///
  /// - Returns: Whether more rows are wanted.
  private func take(_ processed: Processed, _ tail: ChainTail?) async throws -> Bool {
    source.tally.add(rows: processed.rowsRead)
    for prepared in processed.prepared where prepared.rowCount > 0 {
      if try output.take(prepared) == .enough { return false }
    }
    guard let tail else { return true }
    for batch in processed.batches {
      let demand = try tail.push(batch)
      try await settle(tail)
      if demand == .enough { return false }
    }
    return true
  }

  private var boundChain: StageChain? { binding.withLock { $0.flowing ?? $0.published } }

  /// Makes the state of the chain, announces the schema and reads the side inputs that come first.
  private func start() async throws -> ChainTail? {
    guard let chain = boundChain else { return nil }
    let output = output
    let tail = try ChainTail(
      chain, skipping: chain.rowPrefix, begin: { try output.begin($0) },
      deliver: { try output.take($0) })
    try await settle(tail)
    return tail
  }

  /// Reads the side inputs that a part of the chain waits for, and lets the output catch up.
  private func settle(_ tail: ChainTail) async throws {
    var part: ChainTail? = tail
    while let tail = part {
      if tail.needsSides {
        for (index, link) in tail.links.enumerated() {
          try await readSides(of: link, at: index, order: .beforeMain, tail)
        }
        try tail.sidesWereRead()
      }
      part = tail.rest
    }
    try await output.drain()
  }

  /// Ends the chain: each stage is told, and the side inputs that come last are read.
  private func finish(_ tail: ChainTail?) async throws {
    var part = tail
    while let tail = part {
      for (index, link) in tail.links.enumerated() {
        guard case .stream = link.bound else { continue }
        try tail.finish(at: index, input: 0)
        try await settle(tail)
        if !tail.isSatisfied { try await readSides(of: link, at: index, order: .afterMain, tail) }
      }
      part = tail.rest
    }
    _ = try output.flush()
    try await output.drain()
  }

  private func readSides(
    of link: StageChain.Link, at index: Int, order: SideInput.Order, _ tail: ChainTail
  ) async throws {
    for (number, side) in link.stage.sideInputs.enumerated() where side.order == order {
      let batches = link.sides[number].start()
      while let batch = try await batches.receive() {
        let demand = try tail.push(batch, at: index, input: number + 1)
        try await output.drain()
        if demand == .enough { break }
      }
      link.sides[number].cancel()
      try tail.finish(at: index, input: number + 1)
      try await output.drain()
    }
  }

  /// Starts the side inputs whose columns only their data can tell, up to their first batch.
  private func learnSideSchemas() async throws {
    for stage in source.stages {
      for side in stage.sideInputs where sides.withLock({ $0[side.name] == nil }) {
        let sideSource = try resolve(side)
        let schema = try runner.check(sideSource)
        let stream = SideStream(sideSource, schema, runner)
        if schema == nil { try await stream.learnSchema() }
        sides.withLock { $0[side.name] = stream }
      }
    }
  }

  /// The chain for batches of `schema`: the first one binds it, later ones must fit.
  private func chain(flowing schema: Schema) throws -> StageChain {
    try binding.withLock { binding in
      if let chain = binding.flowing { return chain }
      let chain =
        if let published = binding.published, published.input == schema, !binding.isStandIn {
          published
        } else {
          try bind(schema)
        }
      binding.flowing = chain
      return chain
    }
  }

  /// Binds the chain to the schema that the source publishes.
  ///
  /// An input without any column is an empty one, and no name can be wrong in it: nothing comes out,
  /// whatever the stages. Should a row come after all, they are bound to it, and fail then.
  private func publish(_ schema: Schema) throws -> ColumnDemand {
    do {
      let chain = try bind(schema)
      binding.withLock { $0.published = chain }
      return try chain.demand()
    } catch let error as DiagnosticsError {
      guard schema.names.allSatisfy({ $0 == Schema.overflowName }) else { throw error }
      let empty = StageChain(input: Schema([]), links: [], bindRest: nil)
      binding.withLock {
        $0.published = empty
        $0.isStandIn = true
      }
      return .all
    }
  }

  private func bind(_ schema: Schema) throws -> StageChain {
    try bind(source.stages[...], to: schema)
  }

  private func bind(_ stages: ArraySlice<any Stage>, to schema: Schema) throws -> StageChain {
    var links: [StageChain.Link] = []
    var current = schema
    var left = stages
    while let stage = left.popFirst() {
      let streams = try stage.sideInputs.map { side in
        guard let stream = sides.withLock({ $0[side.name] }) else {
          throw AggregateError(.internal, "the side input “\(side.name)” was not started")
        }
        return stream
      }
      let bound = try stage.bind(current, sides: streams.map(\.schema), context)
      links.append(StageChain.Link(stage: stage, bound: bound, sides: streams))
      current = bound.output
      if stage.findsSchema {
        let rest = left
        return StageChain(
          input: schema, links: links, bindRest: { try self.bind(rest, to: $0) })
      }
    }
    return StageChain(input: schema, links: links, bindRest: nil)
  }
}
