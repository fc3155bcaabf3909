import AggregateCore
import Testing

@testable import AggregateTransport

@Suite struct SampleClientTests {
  private let client = SampleClient(
    source: "src",
    samples: [
      .init(matching: ["/pokemon", "limit=2"]) { Array("[1]".utf8) },
      .init(matching: ["name=São Paulo"], contentType: "text/csv") { Array("a\n".utf8) },
    ])

  @Test func allTextsMustStandInTheAddress() async throws {
    let answer = try await client.send(HTTPRequest("GET", try parsed("https://h/pokemon?limit=2")))
    #expect(answer.body.text == "[1]")
    let other = try await client.send(
      HTTPRequest("GET", try parsed("https://h/?name=S%C3%A3o+Paulo")))
    #expect(other.header("content-type") == "text/csv")
  }

  /// What goes on where a text ends is another thing: `/pokemon/1` is not in `/pokemon/12`.
  @Test(arguments: [
    ("/pokemon/1", "https://h/api/pokemon/1", true),
    ("/pokemon/1", "https://h/api/pokemon/1/", true),
    ("/pokemon/1", "https://h/api/pokemon/1?x=1", true),
    ("/pokemon/1", "https://h/api/pokemon/12", false),
    ("/pokemon/1", "https://h/pokemon/12/pokemon/1", true),
    ("/pokemon/mew", "https://h/pokemon/mewtwo", false),
    ("/pokemon/mew", "https://h/pokemon/mew-mega", false),
    ("limit=2", "https://h/?limit=20", false), ("limit=2", "https://h/?limit=2&x=3", true),
    ("limit=2", "https://h/?xlimit=2", false), ("limit=2", "https://h/?a=1&limit=2", true),
    ("q=Paris", "https://h/?q=Paris,FR", true), ("name=São", "https://h/?name=S%C3%A3oo", false),
    ("latitude=48.", "https://h/?latitude=48.85", true),
    ("geocoding", "https://geocoding-api/x", true),
    ("/rooms/", "https://h/rooms/kitchen", true),
  ])
  func textEndsWhereTheAddressDoes(_ text: String, _ address: String, _ answers: Bool) async throws
  {
    let client = SampleClient(
      source: "src", samples: [.init(matching: [text]) { Array("[]".utf8) }])
    let url = try parsed(address)
    let answer = try? await client.send(HTTPRequest("GET", url))
    #expect((answer != nil) == answers)
  }

  @Test func missingSampleSaysWhatThereIs() async throws {
    let error = await #expect(throws: AggregateError.self) {
      try await client.send(HTTPRequest("GET", try parsed("https://h/pokemon?limit=3")))
    }
    #expect(error?.message == "there is no sample for https://h/pokemon?limit=3")
    #expect(error?.hint == "samples cover only /pokemon … limit=2, name=São Paulo")
    #expect(error?.source == "src")
  }
}
