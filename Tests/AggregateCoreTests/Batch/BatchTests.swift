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

  @Test func emptyBatchHasTheColumns() {
    let empty = Batch.empty(batch.schema)
    #expect(empty.rowCount == 0)
    #expect(empty.columns.count == 2)
    #expect(TestRows.shown([empty]).isEmpty)
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
