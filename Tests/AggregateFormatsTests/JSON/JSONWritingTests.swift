import AggregateCore
import AggregateFormats
import Testing

@Suite struct JSONWritingTests {
  @Test func absentIsLeftOutAndNullIsWritten() throws {
    let rows: [[Value]] = [[.absent, .null], [.number("1.10"), .absent], [.absent, .absent]]
    #expect(
      try Fixture.write(["a", "b"], rows, as: "ndjson") == "{\"b\":null}\n{\"a\":1.10}\n{}\n")
    #expect(
      try Fixture.write(["a", "b"], rows, as: "json")
        == "[\n{\"b\":null},\n{\"a\":1.10},\n{}\n]\n")
    #expect(try Fixture.write(["a"], [], as: "json") == "[]\n")
    #expect(try Fixture.write(["a"], [], as: "ndjson") == "")
  }

  @Test func textIsEscapedAtEveryPlaceInAWord() throws {
    for (special, escaped) in [
      ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}", "\\u001f"),
    ] {
      for length in 0..<20 {
        let text = String(repeating: "x", count: length)
        #expect(
          try Fixture.write(["v"], [[.text(text + special)]], as: "ndjson")
            == "{\"v\":\"\(text)\(escaped)\"}\n")
      }
    }
    #expect(
      try Fixture.write(["é\""], [[.text("é 🙂 \u{7F}/")]], as: "ndjson")
        == "{\"é\\\"\":\"é 🙂 \u{7F}/\"}\n")
  }

  @Test func nestedValueStaysOnItsLine() throws {
    let rows: [[Value]] = [[.json("{\n \"a\" : [1,\n2], \"b \\n\": \" x \"}")], [.json("[ 1 ]")]]
    #expect(
      try Fixture.write(["v"], rows, as: "ndjson")
        == "{\"v\":{\"a\":[1,2],\"b \\n\":\" x \"}}\n{\"v\":[ 1 ]}\n")
  }

  @Test func overflowStandsAmongTheOtherMembers() async throws {
    let text = "{\"a\":1}\n{\"a\":2,\"b\":{\"c\": [1]},\"d\":\"x,y\"}\n{\"b\":3}\n"
    let reading = await Fixture.read(text) { $0.sampleRecords = 1 }
    #expect(reading.schema.names == ["a", "_extra"])
    #expect(
      try Fixture.write(reading.schema, reading.batches, as: "ndjson")
        == "{\"a\":1}\n{\"a\":2,\"b\":{\"c\": [1]},\"d\":\"x,y\"}\n{\"b\":3}\n")
  }

  @Test func manyControlCharactersFit() throws {
    let text = String(repeating: "\u{1}", count: 2_000_000)
    let out = try Fixture.write(["v"], [[.text(text)], [.text("y")]], as: "ndjson")
    #expect(out.utf8.count == 12_000_000 + 9 + 10)
  }

  @Test func infinityIsNull() throws {
    let schema = Schema([ColumnSpec("d")])
    let batch = Batch(
      schema: schema, columns: [.doubles(Vector([.infinity, .nan, 1.5]))], rowCount: 3)
    #expect(
      try Fixture.write(schema, [batch], as: "ndjson")
        == "{\"d\":null}\n{\"d\":null}\n{\"d\":1.5}\n")
  }

  @Test func columnWinsOverMemberOfTheSameName() throws {
    let schema = Schema(
      [ColumnSpec("zz"), ColumnSpec("q\""), ColumnSpec(Schema.overflowName, .json)], isOpen: true)
    var builder = BatchBuilder(schema: schema)
    let extra = #"{"zz":1,"zzz":2,"q\"":3}"#
    let rows: [[Value]] = [
      [.int(7), .null, .json(extra)], [.absent, .int(8), .json(extra)],
      [.null, .absent, .json(#"{"z\u007a":1}"#)],
    ]
    for row in rows {
      for value in row { builder.append(value) }
      builder.endRow()
    }
    #expect(
      try Fixture.write(schema, [builder.finish()], as: "ndjson") == """
        {"zz":7,"q\\"":null,"zzz":2}
        {"q\\"":8,"zz":1,"zzz":2}
        {"zz":null}

        """)
  }
}
