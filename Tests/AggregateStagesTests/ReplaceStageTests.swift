import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct ReplaceStageTests {
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
