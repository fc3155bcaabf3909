import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct RenameStageTests {
  let table = TestRows.batch(
    ["id", "name", "value"], [[1, "a", 5], [2, "b", nil], [3, .absent, 1.5]])

  @Test func renameSwapsNames() throws {
    #expect(
      try rows("rename: { id: name, name: id }", table)
        == ["name | id | value", "1 | “a” | 5", "2 | “b” | null", "3 | absent | 1.5"])
  }
}
