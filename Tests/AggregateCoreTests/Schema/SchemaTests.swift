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

@Suite struct SchemaUnionTests {
  @Test func columnsComeInOrderOfFirstAppearance() {
    let union = Schema.union([
      Schema([ColumnSpec("a", .int, unit: "m"), ColumnSpec("b", .text)]),
      Schema([ColumnSpec("c"), ColumnSpec("a", .number, unit: "kg")]),
      Schema([ColumnSpec("b", .date)]),
    ])
    #expect(union.names == ["a", "b", "c"])
    #expect(union.columns.map(\.type) == [.number, .any, .any])
    #expect(union.columns[0].unit == nil)
    #expect(Schema.union([]).columns.isEmpty)
  }

  @Test func mixedTypesStayAnyWhateverFollows() {
    let union = Schema.union(
      [ValueType.int, .text, .int].map { Schema([ColumnSpec("a", $0)]) })
    #expect(union.columns[0].type == .any)
  }

  @Test func overflowColumnStaysLast() {
    let open = Schema([ColumnSpec("a"), ColumnSpec(Schema.overflowName, .json)], isOpen: true)
    let closed = Schema([ColumnSpec("b")])
    for union in [
      Schema.union([open, closed]), Schema.union([closed, open]), open.union(closed),
      closed.union(open),
    ] {
      #expect(union.isOpen)
      #expect(union.names.last == Schema.overflowName)
      #expect(Set(union.names) == ["a", "b", Schema.overflowName])
    }
    #expect(closed.union(closed) === closed)
  }
}

@Suite struct ColumnPathTests {
  @Test(arguments: [
    ["a"], ["a", "b"], ["a.b"], ["a\\", "b"], ["\\."], [""], ["", ""], ["a", "0", ""], [".", "\\"],
    ["é", "日本"], ["\\\\", ".."],
  ])
  func textFormReadsBack(_ elements: [String]) {
    #expect(ColumnPath(text: ColumnPath(elements).description).elements == elements)
  }

  @Test func differentPathsHaveDifferentTexts() {
    let pieces = ["", "a", ".", "\\", "a.", "\\a"]
    var paths = pieces.map { [$0] }
    for first in pieces { paths += pieces.map { [first, $0] } }
    #expect(Set(paths.map { ColumnPath($0).description }).count == paths.count)
  }

  @Test func writtenPathsAreSplitAtDots() {
    #expect(ColumnPath(text: "city.name").elements == ["city", "name"])
    #expect(ColumnPath(text: "a\\.b.c").elements == ["a.b", "c"])
    #expect(ColumnPath(text: "a\\").elements == ["a\\"])
  }
}
