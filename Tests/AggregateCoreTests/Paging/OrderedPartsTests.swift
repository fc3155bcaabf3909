import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct OrderedPartsTests {
  /// No client is needed: the parts make their own rows.
  private struct NoClient: HTTPClient {
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      throw AggregateError(.internal, "a request")
    }
  }

  private final class Emitted: Sendable {
    private let state = Mutex<[Batch]>([])
    var rows: [String] { TestRows.shown(state.withLock { $0 }) }
    func add(_ work: Work) {
      if case .batch(let batch) = work { state.withLock { $0.append(batch) } }
    }
  }

  private func context(
    jobs: Int, policy: ErrorPolicy = .fail, tally: SourceTally = SourceTally(),
    emit: @escaping @Sendable (Work) async throws -> Void
  ) -> ProviderContext {
    ProviderContext(
      source: "src", http: NoClient(), log: .silent, jobs: jobs, errorPolicy: policy, tally: tally,
      emit: emit)
  }

  private static func batch(_ part: Int, _ page: Int) -> Batch {
    TestRows.batch(["part", "page"], [[.int(Int64(part)), .int(Int64(page))]])
  }

  private static func parts(_ count: Int)
    -> @Sendable ((Int) async throws -> Void) async throws -> Void
  {
    { yield in for part in 0..<count { try await yield(part) } }
  }

  @Test(arguments: [1, 2, 3, 16]) func rowsKeepTheOrderOfTheParts(_ jobs: Int) async throws {
    let emitted = Emitted()
    let underWay = Counter()
    try await OrderedParts.run(
      context(jobs: jobs) { emitted.add($0) }, produce: Self.parts(12),
      read: { part, context in
        underWay.increment()
        defer { underWay.decrement() }
        for page in 0..<7 {
          try await Task.sleep(for: .microseconds(300 * (13 - part)))
          try await context.emit(Self.batch(part, page))
        }
      })
    #expect(emitted.rows == (0..<12).flatMap { part in (0..<7).map { "\(part) | \($0)" } })
    #expect(underWay.peak <= jobs)
    if jobs > 1 { #expect(underWay.peak > 1) }
  }

  @Test func partsAheadWaitInsteadOfFillingMemory() async throws {
    let pages = Counter()
    let first = BoundedQueue<Void>(capacity: 1)
    let emitted = Emitted()
    let task = Task {
      try await OrderedParts.run(
        context(jobs: 2) { emitted.add($0) }, produce: Self.parts(2),
        read: { part, context in
          if part == 0 { _ = try await first.receive() }
          for page in 0..<50 {
            try await context.emit(Self.batch(part, page))
            if part == 1 { pages.increment() }
          }
        })
    }
    try await Task.sleep(for: .milliseconds(50))
    #expect(pages.value < 10)
    first.finish()
    try await task.value
    #expect(emitted.rows.count == 100)
  }

  @Test(arguments: [1, 4]) func firstFailureInOrderEndsTheRunAfterTheRowsBeforeIt(
    _ jobs: Int
  ) async throws {
    let emitted = Emitted()
    let error = await #expect(throws: AggregateError.self) {
      try await OrderedParts.run(
        context(jobs: jobs) { emitted.add($0) }, produce: Self.parts(6),
        read: { part, context in
          try await Task.sleep(for: .milliseconds(2 * (6 - part)))
          try await context.emit(Self.batch(part, 0))
          if part >= 2 { throw AggregateError(.rejected, "part \(part) fails") }
        })
    }
    #expect(error?.message == "part 2 fails")
    #expect(emitted.rows == ["0 | 0", "1 | 0", "2 | 0"])
  }

  @Test func failureToFindFurtherPartsComesAfterTheRowsOfTheFoundOnes() async throws {
    let emitted = Emitted()
    let error = await #expect(throws: AggregateError.self) {
      try await OrderedParts.run(
        context(jobs: 8) { emitted.add($0) },
        produce: { yield in
          for part in 0..<3 { try await yield(part) }
          throw AggregateError(.unavailable, "the list ends early")
        },
        read: { part, context in
          try await Task.sleep(for: .milliseconds(10))
          try await context.emit(Self.batch(part, 0))
        })
    }
    #expect(error?.message == "the list ends early")
    #expect(emitted.rows == ["0 | 0", "1 | 0", "2 | 0"])
  }

  @Test func partialPolicyLeavesOutThePartThatFailed() async throws {
    let emitted = Emitted()
    let tally = SourceTally()
    try await OrderedParts.run(
      context(jobs: 2, policy: .partial, tally: tally) { emitted.add($0) },
      produce: Self.parts(4),
      read: { part, context in
        try await context.emit(Self.batch(part, 0))
        if part % 2 == 1 { throw AggregateError(.unavailable, "part \(part)") }
        try await context.emit(Self.batch(part, 1))
      })
    #expect(emitted.rows == ["0 | 0", "0 | 1", "1 | 0", "2 | 0", "2 | 1", "3 | 0"])
    #expect(tally.status == .partial)
    #expect(tally.failures.map(\.description) == ["src: part 1", "src: part 3"])
  }

  @Test func partialPolicyDoesNotForgiveAWrongConfiguration() async throws {
    await #expect(throws: AggregateError.self) {
      try await OrderedParts.run(
        context(jobs: 2, policy: .partial) { _ in }, produce: Self.parts(1),
        read: { _, _ in throw AggregateError(.configuration, "wrong") })
    }
  }

  @Test(arguments: [1, 3]) func whoWantsNoMoreRowsEndsTheReading(_ jobs: Int) async throws {
    let started = Counter()
    let emitted = Counter()
    await #expect(throws: CancellationError.self) {
      try await OrderedParts.run(
        context(jobs: jobs) { _ in
          emitted.increment()
          if emitted.value == 2 { throw CancellationError() }
        }, produce: Self.parts(1000),
        read: { part, context in
          started.increment()
          try await context.emit(Self.batch(part, 0))
        })
    }
    let count = started.value
    #expect(count <= 2 + jobs)
    try await Task.sleep(for: .milliseconds(10))
    #expect(started.value == count)
  }

  @Test func slowPartHoldsNoneOfTheOthersUp() async throws {
    let emitted = Emitted()
    let started = Counter()
    try await OrderedParts.run(
      context(jobs: 2) { emitted.add($0) }, produce: Self.parts(9),
      read: { part, context in
        started.increment()
        // As many behind it as are read at once may be done before it is.
        if part == 0 { await started.reach(4) }
        try await context.emit(Self.batch(part, 0))
      })
    #expect(emitted.rows == (0..<9).map { "\($0) | 0" })
  }

  @Test func cancellationEndsTheReading() async throws {
    let task = Task {
      try await OrderedParts.run(
        context(jobs: 4) { _ in }, produce: Self.parts(100),
        read: { _, _ in try await Task.sleep(for: .seconds(30)) })
    }
    try await Task.sleep(for: .milliseconds(20))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func noPartsGiveNoRows() async throws {
    try await OrderedParts.run(
      context(jobs: 3) { _ in Issue.record("rows") }, produce: Self.parts(0),
      read: { _, _ in })
  }
}
