import Synchronization

/// One run of one source through one chain.
final class ChainRun: Sendable {
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
  struct Binding {
    var published: StageChain?
    var flowing: StageChain?
    /// Whether `published` stands in for stages that name columns of an input that has none.
    var isStandIn = false
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

  let source: RowSource
  private let output: any RowOutput
  let context: StageContext
  private let width: Int
  let runner: PipelineRunner
  let resolve: @Sendable (SideInput) throws -> RowSource
  let binding = Mutex(Binding())
  let sides = Mutex<[String: SideStream]>([:])
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
    let queue = BoundedQueue<Handover>(capacity: isBounded ? 1 : width)
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
  private func read(_ demand: ColumnDemand, into queue: BoundedQueue<Handover>) async {
    do {
      try await source.read(
        RowSource.Hooks(
          demand: demand,
          publish: { schema in
            try await self.learnSideSchemas()
            return try self.publish(schema)
          },
          emit: { try await Handover.send($0, to: queue, waits: self.isBounded) }))
      queue.finish()
    } catch {
      queue.finish(throwing: error)
    }
  }

  /// The task that takes the work in order.
  private func consume(_ queue: BoundedQueue<Handover>) async throws {
    var tail: ChainTail?
    var running: [(job: Job, handover: Handover)] = []
    var ended = false
    var readFailure: (any Error)?
    defer { for entry in running { entry.job.cancel() } }
    while true {
      while !ended && running.count < width {
        if !running.isEmpty, !queue.hasElements { break }
        do {
          guard let handover = try await queue.receive() else {
            ended = true
            break
          }
          running.append((start(handover.emission.work), handover))
        } catch {
          ended = true
          readFailure = error
        }
      }
      guard !running.isEmpty else { break }
      let (job, handover) = running.removeFirst()
      let processed = headed(await job.result, handover.emission)
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
      handover.taken?.finish()
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
    if source.head != nil {
      result.batches = decoded.batches
      return result
    }
    do {
      for batch in decoded.batches where batch.rowCount > 0 {
        let chain = try chain(flowing: batch.schema)
        let prefix = rowPrefix(of: chain)
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

  /// What the head of the source leaves of what a worker decoded; called in order.
  private func headed(_ processed: Processed, _ emission: Emission) -> Processed {
    guard let head = source.head else { return processed }
    var result = processed
    result.batches = []
    do {
      for batch in processed.batches where batch.rowCount > 0 {
        let left = try head(batch, emission)
        if left.rowCount == 0 { continue }
        let chain = try chain(flowing: left.schema)
        result.rowsRead += left.rowCount
        result.batches.append(
          left.schema == chain.input ? left : try left.adapted(to: chain.input))
      }
    } catch {
      result.failure = error
    }
    return result
  }

  /// How many stages run beside each other before the rows are in order: none where the head keeps state.
  private func rowPrefix(of chain: StageChain) -> Int { source.head == nil ? chain.rowPrefix : 0 }

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
      chain, skipping: rowPrefix(of: chain), begin: { try output.begin($0) },
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
}
