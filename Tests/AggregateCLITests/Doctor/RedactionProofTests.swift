import AggregateCore
import Testing

@testable import AggregateCLI

@Suite struct RedactionProofTests {
  @Test func aSecretStaysInside() async throws {
    #expect(try await RedactionProof().leaks() == [])
  }

  @Test func aSecretThatNobodyKnowsComesOutEverywhere() async throws {
    let leaks = try await RedactionProof(redactor: Redactor()).leaks()
    #expect(
      leaks == ["messages", "diagnostics", "errors as JSON", "the report", "recordings"])
  }
}
