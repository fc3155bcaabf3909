import AggregateCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct BoundedQueueTests {
  private func all<E: Sendable>(_ queue: BoundedQueue<E>) async throws -> [E] {
    var elements: [E] = []
    while let element = try await queue.receive() { elements.append(element) }
    return elements
  }

  @Test(arguments: [1, 2, 7, 1024]) func elementsKeepTheirOrder(_ capacity: Int) async throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let sender = Task {
      for number in 0..<500 { try await queue.send(number) }
      queue.finish()
    }
    #expect(try await all(queue) == Array(0..<500))
    try await sender.value
  }

  @Test func senderWaitsWhileItIsFull() async throws {
    let queue = BoundedQueue<Int>(capacity: 2)
    let sent = Counter()
    let task = Task {
      for number in 0..<5 {
        try await queue.send(number)
        sent.increment()
      }
    }
    await sent.reach(2)
    try await Task.sleep(for: .milliseconds(20))
    #expect(sent.value == 2)
    #expect(try await queue.receive() == 0)
    await sent.reach(3)
    #expect(try await queue.receive() == 1)
    #expect(try await queue.receive() == 2)
    try await task.value
    #expect(sent.value == 5)
    #expect(queue.hasElements)
  }

  @Test func cancelledSenderIsReleased() async throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    try await queue.send(1)
    let task = Task { try await queue.send(2) }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    queue.finish()
    #expect(try await all(queue) == [1])
  }

  @Test func cancelledReceiverIsReleased() async throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    let task = Task { try await queue.receive() }
    try await Task.sleep(for: .milliseconds(10))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await queue.receive()
    }
    await #expect(throws: CancellationError.self) { try await early.value }
  }

  @Test func failureComesAfterTheElementsBeforeIt() async throws {
    let queue = BoundedQueue<Int>(capacity: 5)
    try await queue.send(1)
    try await queue.send(2)
    queue.finish(throwing: AggregateError(.badData, "broken"))
    queue.finish()
    #expect(try await queue.receive() == 1)
    #expect(try await queue.receive() == 2)
    for _ in 0..<2 {
      let error = await #expect(throws: AggregateError.self) { try await queue.receive() }
      #expect(error?.message == "broken")
    }
  }

  @Test func senderOfAClosedQueueIsToldSo() async throws {
    let queue = BoundedQueue<Int>(capacity: 1)
    try await queue.send(1)
    let waiting = Task { try await queue.send(2) }
    try await Task.sleep(for: .milliseconds(10))
    queue.finish()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    await #expect(throws: CancellationError.self) { try await queue.send(3) }
    #expect(try await all(queue) == [1])
  }
}

/// A number that several tasks count up.
final class Counter: Sendable {
  private let state = Mutex(0)
  private let most = Mutex(0)

  var value: Int { state.withLock { $0 } }
  /// The largest value so far.
  var peak: Int { most.withLock { $0 } }

  func increment() {
    let value = state.withLock { state in
      state += 1
      return state
    }
    most.withLock { $0 = max($0, value) }
  }

  func decrement() { state.withLock { $0 -= 1 } }

  func reach(_ value: Int) async {
    while self.value < value { await Task.yield() }
  }
}
