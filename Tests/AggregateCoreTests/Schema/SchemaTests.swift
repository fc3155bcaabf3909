import AggregateCore
import Testing

@Suite struct SchemaTests {
  private let schema = Schema([
    ColumnSpec("id", .int), ColumnSpec("Name", .text), ColumnSpec("city", .json),
    ColumnSpec("city.name", .text), ColumnSpec("Temp"), ColumnSpec("temp"), ColumnSpec("a b"),
    ColumnSpec("x\\.y", .text, path: ColumnPath(["x.y"])), ColumnSpec("p.q", .json),
  ])

  private func resolved(_ name: String) -> ColumnReference? { try? schema.resolve(name) }

  @Test(arguments: [
    ("id", 0, []), ("ID", 0, []), ("name", 1, []), ("Name", 1, []), ("Temp", 4, []),
    ("temp", 5, []), ("a b", 6, []), ("city", 2, []), ("city.name", 3, []),
    ("city.country", 2, ["country"]), ("CITY.zip.0", 2, ["zip", "0"]), ("x\\.y", 7, []),
    ("p.q.r", 8, ["r"]), ("city.a\\.b", 2, ["a.b"]), ("temp.x", 5, ["x"]),
  ])
  func namesLeadToColumns(_ name: String, _ index: Int, _ subpath: [String]) {
    #expect(resolved(name) == ColumnReference(index: index, subpath: subpath))
  }

  @Test func severalThatDifferByCaseAreAmbiguous() {
    let error = #expect(throws: ColumnLookupError.self) { try schema.resolve("TEMP") }
    #expect(error == .ambiguous(name: "TEMP", matches: ["Temp", "temp"]))
    #expect(error?.message.contains("Temp, temp") == true)
  }

  @Test func unknownNamesGetTheNearest() {
    let error = #expect(throws: ColumnLookupError.self) { try schema.resolve("nmae") }
    #expect(error?.message == "there is no column “nmae”")
    #expect(error?.hint == "did you mean “Name”?")
    #expect(throws: ColumnLookupError.self) { try schema.resolve("id.x") }
    let empty = #expect(throws: ColumnLookupError.self) { try Schema([]).resolve("a") }
    #expect(empty?.hint == "the input has no columns")
  }

  @Test func equalSchemasHaveEqualColumns() {
    #expect(Schema([ColumnSpec("a", .int)]) == Schema([ColumnSpec("a", .int)]))
    #expect(Schema([ColumnSpec("a", .int)]) != Schema([ColumnSpec("a", .text)]))
    #expect(
      Schema([ColumnSpec("_extra", .json)]) != Schema([ColumnSpec("_extra", .json)], isOpen: true))
    #expect(schema.index(of: "temp") == 5)
    #expect(schema.index(of: "TEMP") == nil)
  }

  @Test func sourceColumnComesFirstAndOnce() {
    let once = schema.withSourceColumn()
    #expect(once.names == ["_source"] + schema.names)
    #expect(once.withSourceColumn() == once)
    #expect(
      Schema([ColumnSpec("a"), ColumnSpec("_source")]).withSourceColumn().names == ["_source", "a"])
  }
}
