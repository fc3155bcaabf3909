import AggregateCore
import AggregateJSON
import Testing

@testable import AggregateInference

@Suite struct ColumnFinderTests {
  private func columns(_ body: String) throws -> [InferredColumn] {
    try #require(ColumnFinder.columns(of: Array(try JSONDocument(body).root.elements)))
  }

  private func type(_ name: String, _ values: String) throws -> ValueEvidence.Reading {
    let body =
      "[" + values.split(separator: ";").map { "{\"\(name)\":\($0)}" }.joined(separator: ",") + "]"
    return try #require(try columns(body).first).evidence.reading(name: name)
  }

  @Test func nestedFieldsAreColumns() throws {
    let found = try columns(
      "[{\"id\":1,\"user\":{\"name\":\"x\",\"at\":{\"b c\":1}}},{\"id\":2,\"user\":null,\"tags\":[]}]"
    )
    #expect(found.map(\.name) == ["id", "user_name", "user_at_b c", "tags"])
    #expect(found.map(\.path) == ["$.id", "$.user.name", "$.user.at['b c']", "$.tags"])
  }

  @Test func namesStayDifferent() throws {
    #expect(try columns("[{\"a_b\":1,\"a\":{\"b\":2}}]").map(\.name) == ["a_b", "a.b"])
  }

  @Test func valuesThatAreNoObjectsAreOneColumn() throws {
    let found = try columns("[1,2]")
    #expect(found.map(\.name) == ["value"])
    #expect(found.map(\.path) == ["$"])
  }

  @Test func objectsWithManyKeysAreOneColumn() throws {
    let keys = (0..<50).map { "\"k\($0)\":1" }.joined(separator: ",")
    #expect(try columns("[{\"id\":1,\"rates\":{\(keys)}}]").map(\.name) == ["id", "rates"])
  }

  @Test(arguments: [
    ("id", "1;2", ValueType.int), ("price", "1;2", .number), ("x", "1;2.5", .number),
    ("x", "true;null", .bool), ("day", "\"2024-01-05\"", .date),
    ("t", "\"2024-01-05T10:00:00Z\";\"2024-01-05T10:00:00+01:00\"", .instant),
    ("pub", "\"Mon, 06 Sep 2021 12:00:00 GMT\"", .instant), ("created", "1700000000", .instant),
    ("tags", "[1];[]", .list),
  ])
  func typesThatAllValuesHave(name: String, values: String, type wanted: ValueType) throws {
    #expect(try type(name, values).type == wanted)
  }

  @Test(arguments: [
    ("x", "\"a\";\"b\""), ("x", "1;\"a\""), ("x", "null"), ("day", "\"2024-01-05\";\"soon\""),
    ("t", "\"2024-01-05T10:00:00\""), ("code", "\"007\""), ("t", "\"12345678\""),
  ])
  func otherValuesStayAsTheyAre(name: String, values: String) throws {
    #expect(try type(name, values).type == nil)
  }

  @Test func secondsAndMillisecondsAreToldApart() throws {
    #expect(try type("updated_at", "1700000000").format == "epoch_s")
    #expect(try type("timestamp", "1700000000000").format == "epoch_ms")
    #expect(try type("size", "1700000000").type == .number)
    #expect(try type("created", "12").type == .number)
  }
}
