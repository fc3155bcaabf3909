import AggregateJSON
import Testing

@testable import AggregateInference

@Suite struct RecordFinderTests {
  @Test(arguments: [
    ("[{\"a\":1}]", "$[*]"), ("[1,2]", "$[*]"), ("[]", "$[*]"),
    ("{\"items\":[{\"a\":1}],\"total\":1}", "$.items[*]"),
    (
      "{\"data\":{\"rows\":[{\"a\":1},{\"a\":2}]},\"links\":[{\"rel\":\"x\",\"href\":\"y\"}]}",
      "$.data.rows[*]"
    ),
    ("{\"data\":[]}", "$.data[*]"),
    ("{\"id\":7,\"data\":[{\"a\":1}]}", "$.data[*]"),
    ("{\"odd name\":[{\"a\":1},{\"a\":2}]}", "$['odd name'][*]"),
    ("{\"it's\":[{\"a\":1},{\"a\":2}]}", "$['it\\'s'][*]"),
    (
      "{\"usd\":{\"c\":1,\"n\":\"x\"},\"eur\":{\"c\":2,\"n\":\"y\"},\"gbp\":{\"c\":3,\"n\":\"z\"}}",
      "$.*"
    ),
    ("{\"ok\":true,\"people\":[{\"a\":1},{\"a\":2}],\"teams\":[{\"b\":1}]}", "$.people[*]"),
  ])
  func recordsAreFound(body: String, path: String) throws {
    let root = try JSONDocument(body).root
    let place = try #require(RecordFinder.places(in: root).first)
    #expect(place.path == path)
    // What is written is what it says.
    #expect(
      try JSONPath(parsing: place.path).nodes(in: root).map(\.rawText)
        == place.records.map(\.rawText))
  }

  @Test(arguments: [
    "{}", "{\"id\":1,\"name\":\"x\",\"types\":[{\"slot\":1},{\"slot\":2}]}",
    "{\"a\":1,\"b\":{\"c\":2}}", "7",
    "{\"lat\":1,\"lon\":2,\"zone\":\"x\",\"elevation\":3,\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"days\":[{\"t\":1}]}",
  ])
  func oneRecordIsOne(body: String) throws {
    #expect(RecordFinder.places(in: try JSONDocument(body).root).isEmpty)
  }

  @Test func namesAreTakenApart() {
    #expect(FieldName.words("nextPageToken") == ["next", "page", "token"])
    #expect(FieldName.words("next_page-token") == ["next", "page", "token"])
    #expect(FieldName.words("@odata.nextLink") == ["odata", "next", "link"])
    #expect(FieldName.words("URL") == ["url"])
  }
}
