import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateCore

@Suite(.timeLimit(.minutes(1))) struct PartQueueTests {
  /// Runs readers over the parts that `produce` puts in.
  private func read(
    _ parts: PartQueue, readers: Int, _ produce: @escaping @Sendable (PartQueue) async -> Void
  ) async {
    await withDiscardingTaskGroup { group in
      for _ in 0..<readers {
        group.addTask { while let part = await parts.next() { await part() } }
      }
      await produce(parts)
    }
  }

  @Test(arguments: [1, 2, 5], [0, 1, 8]) func eachPartIsReadOnceAndSoManyAtATime(
    _ atOnce: Int, _ ahead: Int
  ) async {
    let read = Mutex<[Int]>([])
    let underWay = Counter()
    await self.read(PartQueue(atOnce: atOnce, ahead: ahead), readers: atOnce) { parts in
      for number in 0..<50 {
        try? await parts.put {
          underWay.increment()
          await Task.yield()
          read.withLock { $0.append(number) }
          underWay.decrement()
          parts.noteEnd()
        }
      }
      parts.finish()
    }
    #expect(read.withLock { $0.sorted() } == Array(0..<50))
    #expect(underWay.peak <= atOnce)
  }

  @Test(arguments: [0, 3]) func producerWaitsWhileThereIsNoRoom(_ ahead: Int) async throws {
    let put = Counter()
    let ended = BoundedQueue<Void>(capacity: 100)
    let parts = PartQueue(atOnce: 2, ahead: ahead)
    let producer = Task {
      for _ in 0..<20 {
        try await parts.put { try? await ended.send(()) }
        put.increment()
      }
      parts.finish()
    }
    await read(parts, readers: 2) { parts in
      // Two are read, and not one has ended as far as the queue knows.
      for _ in 0..<2 { _ = try? await ended.receive() }
      try? await Task.sleep(for: .milliseconds(50))
      #expect(put.value == 2 + ahead)
      for _ in 0..<18 {
        parts.noteEnd()
        _ = try? await ended.receive()
      }
    }
    try await producer.value
    #expect(put.value == 20)
  }

  @Test func cancellingLetsGoOfAll() async {
    let parts = PartQueue(atOnce: 1, ahead: 0)
    let producer = Task {
      try await parts.put {}
      try await parts.put {}
    }
    await read(parts, readers: 1) { parts in
      try? await Task.sleep(for: .milliseconds(20))
      parts.cancel()
    }
    await #expect(throws: CancellationError.self) { try await producer.value }
    await #expect(throws: CancellationError.self) { try await parts.put {} }
    #expect(await parts.next() == nil)
  }
}
