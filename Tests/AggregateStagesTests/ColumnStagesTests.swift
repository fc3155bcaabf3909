import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct ColumnStagesTests {
  let table = TestRows.batch(
    ["id", "name", "value"], [[1, "a", 5], [2, "b", nil], [3, .absent, 1.5]])

  @Test func selectKeepsNamedColumnsInTheirOrder() throws {
    #expect(
      try rows("select: [value, id]", table)
        == ["value | id", "5 | 1", "null | 2", "1.5 | 3"])
  }

  @Test func selectGivesNewNames() throws {
    #expect(try rows("select: [{ n: name }, id]", table).first == "n | id")
    #expect(try rows("select: value,id", table).first == "value | id")
  }

  @Test func selectMatchesExactNamesFirstAndThenWithoutCase() throws {
    let table = TestRows.batch(["id", "ID", "Name"], [[1, 2, "x"]])
    #expect(try rows("select: [ID, name]", table) == ["ID | Name", "2 | “x”"])
    #expect(mistake("select: [Id]", table.schema)?.message.contains("several") == true)
  }

  @Test func aMisspeltColumnHasAPlaceAndASuggestion() throws {
    let diagnostic = try #require(mistake("select: [id, nam]", table.schema))
    #expect(diagnostic.location?.column == 14)
    #expect(diagnostic.hint?.contains("name") == true)
    for yaml in ["drop: nam", "sort: -nam", "dedupe: nam", "rename: { nam: x }", "reorder: nam"] {
      #expect(mistake(yaml, table.schema)?.hint?.contains("name") == true, "\(yaml)")
    }
  }

  @Test func twoColumnsOfOneNameAreAnError() {
    #expect(mistake("select: [id, { id: name }]", table.schema)?.code == "duplicate-column")
    #expect(mistake("rename: { id: name }", table.schema)?.code == "duplicate-column")
  }

  @Test func dropLeavesOutColumns() throws {
    #expect(try rows("drop: [name, value]", table) == ["id", "1", "2", "3"])
  }

  @Test func renameSwapsNames() throws {
    #expect(
      try rows("rename: { id: name, name: id }", table)
        == ["name | id | value", "1 | “a” | 5", "2 | “b” | null", "3 | absent | 1.5"])
  }

  @Test func reorderMovesColumnsToTheFront() throws {
    #expect(try rows("reorder: value", table).first == "value | id | name")
  }

  @Test func fillReplacesNullAndAbsentButNotTheEmptyText() throws {
    let table = TestRows.batch(["v"], [[""], [nil], [.absent], ["x"]])
    #expect(try rows("fill: { v: 0 }", table) == ["v", "“”", "0", "0", "“x”"])
    #expect(try rows("fill: { v: '0' }", table) == ["v", "“”", "“0”", "“0”", "“x”"])
  }

  @Test func fillDownRepeatsTheLastValueAcrossBatches() throws {
    let table = TestRows.batch(
      ["v", "i"], [[nil, 0], ["a", 1], [nil, 2], [nil, 3], [7, 4], [nil, 5]])
    #expect(
      try rows("fill_down: v", table)
        == ["v | i", "null | 0", "“a” | 1", "“a” | 2", "“a” | 3", "7 | 4", "7 | 5"])
  }
}
