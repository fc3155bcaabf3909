import AggregateCore
import AggregateTestSupport
import Synchronization
import Testing

@testable import AggregateStages

@Suite struct ValueStagesTests {
  @Test func unpivotMakesARowOfEachColumn() throws {
    let table = TestRows.batch(["id", "jan", "feb"], [[1, 5, nil], [2, 7, "x"]])
    #expect(
      try rows("unpivot: { columns: [jan, feb], name: month, value: temp }", table)
        == [
          "id | month | temp", "1 | “jan” | 5", "1 | “feb” | null", "2 | “jan” | 7",
          "2 | “feb” | “x”",
        ])
  }

  @Test func splitGivesTheLastNameTheRest() throws {
    let table = TestRows.batch(
      ["id", "name"], [[1, "Ann Lee"], [2, "Bob Ray Jr"], [3, "Cid"], [4, nil]])
    #expect(
      try rows("split: { column: name, by: ' ', into: [first, last], keep: false }", table)
        == [
          "id | first | last", "1 | “Ann” | “Lee”", "2 | “Bob” | “Ray Jr”", "3 | “Cid” | null",
          "4 | null | null",
        ])
  }

  @Test func maskHidesValues() throws {
    let table = TestRows.batch(["email", "b"], [["abc", "x"], [nil, "x"], ["", "y"]])
    #expect(
      try rows("mask: { email: hash, b: redact }", table)
        == [
          "email | b",
          "“ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad” | “***”",
          "null | “***”",
          "“e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855” | “***”",
        ])
    #expect(mistake("mask: { email: hide }", table.schema)?.code == "bad-choice")
  }

  @Test func describeGivesOneRowPerColumn() throws {
    let table = TestRows.batch(["id", "v"], [[1, "b"], [10, nil], [9, "a"], [9, 2.5]])
    #expect(
      try rows("describe: {}", table)
        == [
          "column | type | count | nulls | distinct | min | max | mean",
          "“id” | “int” | 4 | 0 | 3 | 1 | 10 | 7.25",
          "“v” | “number or text” | 3 | 1 | 3 | 2.5 | “b” | 2.5",
        ])
  }

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

extension ValueStagesTests {
  @Test func replaceTakesPatterns() throws {
    let table = TestRows.batch(["t", "i"], [["a  b   c", 1], [nil, 2], ["it's", 3]])
    #expect(
      try rows("replace: { column: t, pattern: ' +', with: '-' }", table)
        == ["t | i", "“a-b-c” | 1", "null | 2", "“it's” | 3"])
    #expect(
      try rows("replace: { column: t, pattern: \"'\" }", table).last == "“its” | 3")
    #expect(mistake("replace: { column: t, pattern: '(' }", table.schema) != nil)
  }
}
