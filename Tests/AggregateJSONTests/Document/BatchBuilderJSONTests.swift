import AggregateCore
import AggregateJSON
import Testing

@Suite struct BatchBuilderJSONTests {
  @Test func nodesEnterRowsAsTheyCame() throws {
    let root = try JSONDocument(
      #"{"n":1.10,"t":"a\u00e9","o":{"x": [1]},"z":null,"b":true,"s":""}"#
    ).root
    let names = ["n", "t", "o", "z", "b", "s", "none"]
    var rows = BatchBuilder(schema: Schema(names.map { ColumnSpec($0, .any) }))
    for name in names { rows.append(root[name]) }
    rows.endRow()
    let batch = rows.finish()
    #expect(
      batch.columns.map { $0.value(at: 0) } == [
        .number("1.10"), .text("aé"), .json(#"{"x": [1]}"#), .null, .bool(true), .text(""), .absent,
      ])
    #expect(
      names.map { root[$0]?.value ?? .absent } == [
        .number("1.10"), .text("aé"), .json(#"{"x":[1]}"#), .null, .bool(true), .text(""), .absent,
      ])
  }
}
