import AggregateTestSupport
import Foundation
import Testing

@Suite(.serialized) struct GoldenCases {
  static let cases = (try? GoldenCase.all(in: Project.root.appending(path: "Tests/Cases"))) ?? []

  @Test func thereAreCases() { #expect(Self.cases.count >= 80) }

  @Test(arguments: cases) func answersAsRecorded(_ item: GoldenCase) async throws {
    let outcome = try await item.run(program: GoldenSandbox.builtProgram())
    if ProcessInfo.processInfo.environment["AGGREGATE_RECORD"] != nil {
      try item.record(outcome)
      Issue.record("recorded, not tested: review the difference, then run without AGGREGATE_RECORD")
      return
    }
    guard let expected = item.expectation else {
      Issue.record("there is no expectation: AGGREGATE_RECORD=1 swift test --filter GoldenCases")
      return
    }
    #expect(outcome.stdout == expected.stdout)
    #expect(outcome.stderr == expected.stderr)
    #expect(outcome.exit == expected.exit)
    if item.comparesRequests { #expect(outcome.requests == expected.requests) }
  }
}
