import AggregateJSON
import Testing

@Suite struct LenientTests {
  struct Weather: Decodable {
    @Lenient var humidity: Double?
    @Lenient var names: [String]?
    var id: NumberOrText
    var raw: JSONFragment?
  }

  @Test(
    arguments: [
      (#"{"id":1,"humidity":55}"#, 55.0), (#"{"id":1,"humidity":null}"#, nil), (#"{"id":1}"#, nil),
      (#"{"id":1,"humidity":"n/a"}"#, nil), (#"{"id":1,"humidity":[]}"#, nil),
    ] as [(String, Double?)])
  func whatIsNotOfTheTypeIsNil(text: String, expected: Double?) throws {
    #expect(try JSONDecodingTests.decode(Weather.self, text).humidity == expected)
  }

  @Test func aListWithAWrongElementIsNil() throws {
    #expect(try JSONDecodingTests.decode(Weather.self, #"{"id":1,"names":["a",1]}"#).names == nil)
    #expect(try JSONDecodingTests.decode(Weather.self, #"{"id":1,"names":["a"]}"#).names == ["a"])
  }

  @Test func numbersAndTextsAreKeptAsSent() throws {
    let values = try JSONDecodingTests.decode(
      [NumberOrText].self, #"[1.10, "007", "1.5", "x", 12, 1e400]"#)
    #expect(values.map(\.text) == ["1.10", "007", "1.5", "x", "12", "1e400"])
    #expect(values.map(\.double) == [1.1, nil, 1.5, nil, 12, nil])
    #expect(values.map(\.int64) == [nil, nil, nil, nil, 12, nil])
    #expect(values[0] == .number("1.10"))
    #expect(
      JSONDecodingTests.message([NumberOrText].self, "[null]")?.contains("number or text") == true)
  }

  @Test func fragmentsKeepTheirText() throws {
    let weather = try JSONDecodingTests.decode(
      Weather.self, "{\"id\":\"a\",\"raw\":{ \"n\" : 1.10,\n\"s\":\"a b\\u00e9\" }}")
    #expect(weather.raw?.text == #"{"n":1.10,"s":"a b\u00e9"}"#)
    #expect(try weather.raw?.parsed()["n"]?.numberText == "1.10")
    #expect(try JSONDecodingTests.decode(JSONFragment.self, "\"x\"").text == "\"x\"")
  }
}
