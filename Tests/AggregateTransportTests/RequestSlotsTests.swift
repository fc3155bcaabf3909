import Synchronization
import Testing

@testable import AggregateTransport

@Suite struct RequestSlotsTests {
  private final class Seen: Sendable {
    private let state = Mutex<[Int]>([])
    var all: [Int] { state.withLock { $0 } }
    func add(_ number: Int) { state.withLock { $0.append(number) } }
  }

  @Test func whoComesFirstIsServedFirst() async throws {
    let slots = RequestSlots(1)
    let seen = Seen()
    let (opened, open) = AsyncStream<Void>.makeStream()
    let holder = Task {
      try await slots.run {
        seen.add(-1)
        for await _ in opened {}
      }
    }
    while seen.all.isEmpty { await Task.yield() }
    var tasks: [Task<Void, any Error>] = []
    for number in 0..<20 {
      tasks.append(Task { try await slots.run { seen.add(number) } })
      // Until it waits.
      while slots.waitingCount <= number { await Task.yield() }
    }
    open.finish()
    try await holder.value
    for task in tasks { try await task.value }
    #expect(seen.all == Array(-1..<20))
  }

  @Test func cancelledWaitLeavesTheLine() async throws {
    let slots = RequestSlots(1)
    try await slots.run {
      let task = Task { try await slots.run {} }
      while slots.waitingCount == 0 { await Task.yield() }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(slots.waitingCount == 0)
    }
    try await slots.run {}
  }
}
