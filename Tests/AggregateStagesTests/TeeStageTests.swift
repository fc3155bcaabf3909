import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateStages

@Suite struct TeeStageTests {
  @Test func teeWritesWhatPasses() throws {
    let copy = Copy()
    let context = StageContext(log: .silent, maxMemory: 1 << 20, temporaryDirectory: "/tmp") {
      path, _ in
      copy.path.withLock { $0 = path }
      return copy
    }
    let table = TestRows.batch(["id"], [[1], [2], [3]])
    let bound = try stage("tee: copy.ndjson").bind(table.schema, sides: [], context)
    #expect(TestRows.shown(try StageRunner.run(bound, table, size: 2)) == ["1", "2", "3"])
    #expect(copy.path.withLock { $0 } == "copy.ndjson")
    #expect(copy.rows.withLock { $0 } == ["1", "2", "3"])
    #expect(copy.isFinished.withLock { $0 })
  }

  private final class Copy: StageOutput, Sendable {
    let path = Mutex("")
    let rows = Mutex<[String]>([])
    let isFinished = Mutex(false)

    func write(_ batch: Batch) { rows.withLock { $0 += TestRows.shown([batch]) } }
    func finish() { isFinished.withLock { $0 = true } }
  }
}
