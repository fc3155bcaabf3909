import AggregateCore
import Synchronization
import Testing

@testable import AggregateRun

struct BatchChannelTests {
  private func batch(_ number: Int) -> Batch {
    var builder = BatchBuilder(schema: Schema([ColumnSpec("n", .int)]))
    builder.append(number)
    builder.endRow()
    return builder.finish()
  }

  @Test func theLastBatchIsTakenOnceTheReaderComesBack() async throws {
    let channel = BatchChannel()
    let isDrained = Mutex(false)
    let run = Task {
      for number in 0..<2 {
        _ = channel.take(batch(number))
        try await channel.drain()
      }
      isDrained.withLock { $0 = true }
      channel.end()
    }
    #expect(try await channel.next()?.rowCount == 1)
    #expect(try await channel.next()?.rowCount == 1)
    try await Task.sleep(for: .milliseconds(50))
    #expect(!isDrained.withLock { $0 })
    #expect(try await channel.next() == nil)
    #expect(isDrained.withLock { $0 })
    try await run.value
    #expect(channel.rowCount == 2)
  }

  @Test func anErrorComesBehindTheRowsBeforeIt() async throws {
    let channel = BatchChannel()
    let run = Task {
      _ = channel.take(batch(1))
      try await channel.drain()
      channel.end(throwing: AggregateError(.badData, "broken"))
    }
    #expect(try await channel.next()?.rowCount == 1)
    await #expect(throws: AggregateError.self) { try await channel.next() }
    try await run.value
  }

  @Test func aCancelledRunWaitsForNobody() async throws {
    let channel = BatchChannel()
    let run = Task {
      _ = channel.take(batch(1))
      try await channel.drain()
    }
    #expect(try await channel.next()?.rowCount == 1)
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
  }
}
