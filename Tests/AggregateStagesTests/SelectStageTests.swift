import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SelectStageTests {
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

  @Test func selectTakesValuesOutOfNestedColumns() throws {
    let table = TestRows.batch(
      ["id", "city", "weather"],
      [
        [1, .json(#"{"name":"Oslo","geo":{"lat":59.90}}"#), .json(#"[{"d":"rain"},{"d":"sun"}]"#)],
        [2, nil, .json("[]")],
      ])
    #expect(
      try rows("select: [city.name, { lat: city.geo.lat }, weather.1.d]", table)
        == ["city.name | lat | weather.1.d", "“Oslo” | 59.90 | “sun”", "absent | absent | absent"])
    #expect(try rows("sort: -city.geo.lat", table).count == 3)
  }
}
