import AggregateCore
import Testing

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
