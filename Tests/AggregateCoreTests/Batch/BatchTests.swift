import AggregateCore
import AggregateTestSupport
import Testing

@Suite struct BatchTests {
  private var batch: Batch {
    TestRows.batch(
      ["a", "b"],
      (0..<50).map { row in
        [row % 5 == 0 ? nil : .int(Int64(row)), .text(String(repeating: "x", count: row))]
      })
  }

  @Test func slicesAndGatheredRowsAreThoseOfTheWhole() {
    let all = TestRows.shown([batch])
    for size in [1, 2, 3, 7, 1024] {
      #expect(TestRows.shown(TestRows.parts(batch, of: size)) == all)
    }
    #expect(TestRows.shown([batch.gathered([49, 0, 49])]) == [all[49], all[0], all[49]])
    #expect(batch.sliced(3..<3).rowCount == 0)
  }

  @Test func compactingKeepsTheRowsAndOnlyTheirBytes() {
    for rows: [Int32] in [[], [0], [7, 3], Array(0..<50)] {
      let some = batch.gathered(rows)
      let compact = some.compacted()
      #expect(TestRows.shown([compact]) == TestRows.shown([some]))
      for column in compact.columns {
        guard case .spans(let spans) = column else { continue }
        let used = spans.cells.reduce(0) { $0 + $1.length }
        #expect(used * 2 >= spans.buffer.count)
      }
    }
  }

  @Test func compactingLeavesComputedColumnsAlone() {
    let ints = Batch(
      schema: Schema([ColumnSpec("n", .int)]), columns: [.ints(Vector([1, 2]))], rowCount: 2)
    #expect(TestRows.shown([ints.compacted()]) == ["1", "2"])
  }

  @Test func emptyBatchHasTheColumns() {
    let empty = Batch.empty(batch.schema)
    #expect(empty.rowCount == 0)
    #expect(empty.columns.count == 2)
    #expect(TestRows.shown([empty.compacted()]).isEmpty)
  }

  @Test func adaptingFillsWhatIsNotThereAndRefusesWhatHasNoPlace() throws {
    let wider = Schema([ColumnSpec("b"), ColumnSpec("new"), ColumnSpec("a")])
    let adapted = try batch.sliced(1..<2).adapted(to: wider)
    #expect(TestRows.shown([adapted]) == ["“x” | absent | 1"])
    let error = #expect(throws: AggregateError.self) {
      try batch.adapted(to: Schema([ColumnSpec("a")]))
    }
    #expect(error?.message == "a new column “b” appeared after the first rows")
  }
}
