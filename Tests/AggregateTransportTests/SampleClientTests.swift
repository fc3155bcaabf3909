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

  @Test func missingSampleSaysWhatThereIs() async throws {
    let error = await #expect(throws: AggregateError.self) {
      try await client.send(HTTPRequest("GET", try parsed("https://h/pokemon?limit=3")))
    }
    #expect(error?.message == "there is no sample for https://h/pokemon?limit=3")
    #expect(error?.hint == "samples cover only /pokemon … limit=2, name=São Paulo")
    #expect(error?.source == "src")
  }
}
