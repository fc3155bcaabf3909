import AggregateCore
import AggregateFormats
import Testing

@Suite struct FlattenTransformTests {
  /// The CSV of JSON records, the columns learned from the first `sample` of them.
  private func flat(
    _ first: String, then later: String = "", policy: NewColumnPolicy = .error
  ) async throws -> String {
    let sample = await Fixture.read(first) { $0.format = "ndjson" }
    let flatten = try FlattenTransform(sample.schema, learning: sample.batches, policy: policy)
    var batches = try sample.batches.map(flatten.apply)
    let rest = await Fixture.read(later) {
      $0.format = "ndjson"
      $0.schema = sample.schema
    }
    batches += try rest.batches.map(flatten.apply)
    return try Fixture.write(flatten.output, batches, as: "csv")
  }

  @Test func objectsBecomeColumnsAndListsStay() async throws {
    #expect(
      try await flat(
        "{\"id\":1,\"city\":{\"name\":\"Oslo\",\"geo\":{\"lat\":59.90}},\"t\":[1,{}]}\n")
        == "id,city.name,city.geo.lat,t\n1,Oslo,59.90,\"[1,{}]\"\n")
  }

  @Test func namesKeepDifferentPathsApart() async throws {
    #expect(
      try await flat("{\"a.b\":1,\"a\":{\"b.c\":2,\"d\":3}}\n") == "a.b,a.b\\.c,a.d\n1,2,3\n")
  }

  @Test func collisionNamesTheColumn() async throws {
    await #expect {
      _ = try await flat("{\"a.b\":11,\"a\":{\"b\":22}}\n")
    } throws: { "\($0)".contains("the column “a.b” and what is in “a”") }
  }

  @Test func valuesOfEveryFormAreKept() async throws {
    let text =
      "{\"v\":{\"x\":1}}\n{\"v\":5}\n{\"v\":null}\n{\"v\":{}}\n{\"v\":{\"x\":{\"y\":2}}}\n{\"v\":[1]}\n"
    #expect(
      try await flat(text)
        == "v,v.x,v.x.y\n,1,\n5,,\n,,\n,,\n,,2\n[1],,\n")
  }

  @Test func newFieldFollowsThePolicy() async throws {
    let first = "{\"a\":1,\"o\":{\"x\":1}}\n"
    let later = "{\"a\":2,\"o\":{\"x\":2,\"y\":\"q\\\"\"},\"b\":9}\n{\"a\":3}\n"
    for field in ["{\"b\":9}\n", "{\"o\":{\"y\":null}}\n", "{\"o\":\"text\"}\n"] {
      await #expect {
        _ = try await flat(first, then: field)
      } throws: { "\($0)".contains("is new") && "\($0)".contains("on_new_column") }
    }
    #expect(try await flat(first, then: later, policy: .drop) == "a,o.x\n1,1\n2,2\n3,\n")
    #expect(
      try await flat(first, then: later, policy: .extra)
        == "a,o.x,_extra\n1,1,\n2,2,\"{\"\"o.y\"\":\"\"q\\\"\"\"\",\"\"b\"\":9}\"\n3,,\n")
  }

  @Test func fieldNamedLikeTheOverflowIsAColumn() async throws {
    let first = "{\"a\":1,\"_extra\":[3]}\n"
    #expect(try await flat(first, then: "{\"a\":2}\n") == "a,_extra\n1,[3]\n2,\n")
    #expect(
      try await flat(first, then: "{\"a\":2,\"b\":1}\n", policy: .extra)
        == "a,_extra,_extra_\n1,[3],\n2,,\"{\"\"b\"\":1}\"\n")
    await #expect {
      _ = try await flat(first, then: "{\"b\":1}\n")
    } throws: { "\($0)".contains("“b” is new") }
  }

  @Test func valueInTheOverflowThatIsNoObjectIsNotLost() throws {
    let schema = Schema([ColumnSpec(Schema.overflowName, .json)], isOpen: true)
    func batch(_ values: [Value]) -> Batch {
      var builder = BatchBuilder(schema: schema)
      for value in values {
        builder.append(value)
        builder.endRow()
      }
      return builder.finish()
    }
    let mixed = batch([.text("x"), .absent, .json(#"{"_extra":5}"#)])
    let flatten = try FlattenTransform(schema, learning: [mixed])
    #expect(
      try Fixture.write(flatten.output, [flatten.apply(mixed)], as: "csv") == "_extra\nx\n\n5\n")
    let other = try FlattenTransform(schema, learning: [batch([.absent])])
    #expect(throws: AggregateError.self) { try other.apply(mixed) }
  }

  @Test func emptyOverflowIsNotWritten() async throws {
    #expect(try await flat("{\"a\":1}\n{\"a\":2}\n") == "a\n1\n2\n")
  }

  @Test func unionMatchesColumnsByName() async {
    let first = await Fixture.read("a,b\n1,x\n") { $0.format = "csv" }
    let second = await Fixture.read("b,a,c\ny,2,z\n") { $0.format = "csv" }
    let alignment = SchemaAlignment(union: [first.schema, second.schema])
    #expect(alignment.output.names == ["a", "b", "c"])
    let rows = (first.batches + second.batches).map(alignment.apply).flatMap { $0.row(0) }
    #expect(
      rows == [.number("1"), .text("x"), .absent, .number("2"), .text("y"), .text("z")])
  }
}
