import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

/// What keeps state between rows before the stages sees them in order, however many threads decode.
@Suite struct HeadTests {
  /// Lets each number through once, and notes the order in which they came.
  private final class Once: Sendable {
    let seen = Mutex<(numbers: Set<String>, order: [String])>(([], []))

    func admit(_ batch: Batch) -> Batch {
      seen.withLock { seen in
        let rows = (0..<Int32(batch.rowCount)).filter { row in
          let number = batch.columns[0].value(at: Int(row)).displayText
          seen.order.append(number)
          return seen.numbers.insert(number).inserted
        }
        return batch.gathered(rows)
      }
    }
  }

  private func run(width: Int, sizes: [Int]) async throws -> (rows: [String], order: [String]) {
    let once = Once()
    let numbers = (0..<2000).map { $0 * 7 % 1200 }
    let source = RowSource(
      name: "numbers", schema: Numbers.schema, stages: [DoubleStage()],
      head: { batch, _ in once.admit(batch) }
    ) { hooks in
      var start = 0
      var turn = 0
      while start < numbers.count {
        let part = Array(numbers[start..<min(numbers.count, start + sizes[turn % sizes.count])])
        try await hooks.emit(
          Emission(
            .deferred {
              Decoded(batches: [
                TestRows.batch(["n:int"], part.map { [.int(Int64($0))] })
                  .relabelled(Numbers.schema)
              ])
            }))
        start += part.count
        turn += 1
      }
    }
    let output = CollectedRows()
    try await Numbers.runner(width: width).run(source, into: output)
    return (output.rows, once.seen.withLock { $0.order })
  }

  @Test(arguments: [1, 2, 8], [[1000], [1, 2, 3], [64, 1, 700, 13], [5]])
  func rowsAndStateDoNotDependOnThreadsOrBlocks(_ width: Int, _ sizes: [Int]) async throws {
    let wanted = try await run(width: 1, sizes: [4096])
    let found = try await run(width: width, sizes: sizes)
    #expect(found.order == wanted.order)
    #expect(found.rows == wanted.rows)
    #expect(found.rows.count == 1200)
  }
}
