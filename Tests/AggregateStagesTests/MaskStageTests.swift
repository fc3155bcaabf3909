import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct MaskStageTests {
  @Test func maskHidesValues() throws {
    let table = TestRows.batch(["email", "b"], [["abc", "x"], [nil, "x"], ["", "y"]])
    #expect(
      try rows("mask: { email: hash, b: redact }", table)
        == [
          "email | b",
          "“ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad” | “***”",
          "null | “***”",
          "“e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855” | “***”",
        ])
    #expect(mistake("mask: { email: hide }", table.schema)?.code == "bad-choice")
  }
}
