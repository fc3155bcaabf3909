import AggregateCore
import AggregateJSON
import Testing

@Suite struct JSONPayloadDecoderTests {
  static func response(_ body: String, type: String = "application/json") throws -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: [HTTPField("Content-Type", type)], body: ByteBuffer(body),
      url: try #require(WebURL("https://api.example.com/v1/list")),
      fetchedAt: Instant(microseconds: 0))
  }

  struct Item: Decodable, Sendable { var id: Int }

  @Test func decodesTheBodyOrAPart() throws {
    let whole = JSONPayloadDecoder<[Item]>()
    #expect(try whole.decode(try Self.response(#"[{"id":1},{"id":2}]"#)).map(\.id) == [1, 2])
    let part = JSONPayloadDecoder([Item].self, at: try JSONPath(parsing: "$.data.items"))
    #expect(try part.decode(try Self.response(#"{"data":{"items":[{"id":3}]}}"#)).map(\.id) == [3])
    let error = #expect(throws: AggregateError.self) {
      try part.decode(try Self.response(#"{"data":[]}"#))
    }
    #expect(
      error?.message.contains("list: there is no “items” in “$.data”, which is a list") == true)
  }

  @Test func errorsInGoodAnswersAreThrown() throws {
    let decoder = JSONPayloadDecoder<[Item]> { _, root in
      if let message = root["error"]?.string { throw AggregateError(.rejected, message) }
    }
    let error = #expect(throws: AggregateError.self) {
      try decoder.decode(try Self.response(#"{"error":"quota exceeded"}"#))
    }
    #expect(error?.code == .rejected)
    #expect(error?.message == "quota exceeded")
  }

  @Test func errorsNameTheAddress() throws {
    let decoder = JSONPayloadDecoder<[Item]>()
    let html = #expect(throws: AggregateError.self) {
      try decoder.decode(try Self.response("<!doctype html><p>", type: "text/html"))
    }
    #expect(
      html?.message.hasPrefix("https://api.example.com/v1/list: this is HTML, not JSON") == true)
    let wrong = #expect(throws: AggregateError.self) {
      try decoder.decode(try Self.response(#"[{"id":"x"}]"#))
    }
    #expect(wrong?.message.contains("list: $[0].id: expected a whole number") == true)
    #expect(wrong?.status == 200)
    let text = #expect(throws: AggregateError.self) {
      try decoder.decode(try Self.response("sorry", type: "text/plain"))
    }
    #expect(text?.hint == "the answer calls itself text/plain")
  }
}
