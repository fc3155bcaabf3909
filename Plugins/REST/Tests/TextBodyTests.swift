import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct TextBodyTests {
  private func run(_ options: String, _ body: String, type: String = "text/plain") async throws
    -> Outcome
  {
    try await AggregateRESTTests.run(
      "{\"url\":\"http://api.test/x\"\(options)}",
      FakeAPI { _ in .init(headers: [("Content-Type", type)], body: body) })
  }

  @Test(arguments: ["26 days", "a\nb\n", "\"q\" \\ \t é", "<html>", "[1, 2]", "x,y\n1,2"])
  func aTextIsOneRecord(_ body: String) async throws {
    let outcome = try await run(",\"format\":\"text\"", body)
    #expect(outcome.error == nil)
    #expect(outcome.names.first == "value")
    #expect(outcome.rows.map { $0.first } == [.text(body)])
  }

  @Test(arguments: [
    ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\n\nb\n", ["a", "", "b"]),
    ("a\u{2028}b\n", ["a\u{2028}b"]),
  ])
  func eachLineIsARecord(_ body: String, _ wanted: [String]) async throws {
    let outcome = try await run(
      ",\"format\":\"lines\",\"columns\":{\"line\":\"$\"}", body)
    #expect(outcome.rows == wanted.map { [.text($0)] })
  }

  @Test func anEmptyTextHasNoRecord() async throws {
    for format in ["text", "lines"] {
      #expect(try await run(",\"format\":\"\(format)\"", "").rows.isEmpty)
    }
  }

  @Test func recordsMeanNothing() throws {
    var diagnostics = Diagnostics()
    _ = try provider(
      "{\"url\":\"http://api.test/x\",\"format\":\"lines\",\"records\":\"$[*]\"}", &diagnostics)
    #expect(diagnostics.all.contains { $0.message.contains("each line is a record") })
  }

  @Test(arguments: [("busy, try later", 0), ("\"busy\"", 0), ("[{\"a\":1}]", 1)])
  func aRuleKnowsABodyThatIsNoObject(_ body: String, _ rows: Int) async throws {
    let outcome = try await run(
      ",\"errors\":{\"body\":\"starts_with(value, 'busy')\",\"do\":\"skip\"}", body,
      type: "application/json")
    #expect(outcome.error == nil)
    #expect(outcome.rows.count == rows)
  }
}
