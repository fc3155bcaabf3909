import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct DedupeStageTests {
  @Test func dedupeKeepsTheFirstOrTheLast() throws {
    #expect(try column(1, "dedupe: { by: [city] }", cities) == ["3", "15", "20"])
    #expect(try column(1, "dedupe: { by: city, keep: last }", cities) == ["5", "25", "20"])
  }

  @Test func dedupeTakesNullAndNumbersByValue() throws {
    let table = TestRows.batch(
      ["v"], [[1], [.number("1.0")], [.number("1e0")], ["1"], [nil], [.absent], [""], [true]])
    #expect(try rows("dedupe: {}", table) == ["v", "1", "“1”", "null", "“”", "true"])
  }

  @Test func dedupeKeepsBigIntegersApart() throws {
    let table = TestRows.batch(
      ["v"],
      [[.number("9007199254740993")], [.number("9007199254740992")], [9_007_199_254_740_993]])
    #expect(try rows("dedupe: v", table).count == 3)
  }

  @Test func partsOfAKeyDoNotRunTogether() throws {
    let table = TestRows.batch(
      ["a", "b"], [["x", "yz"], ["xy", "z"], ["x", "yz"], ["x\u{0}", "yz"]])
    #expect(try rows("dedupe: [a, b]", table).count == 4)
  }
}
