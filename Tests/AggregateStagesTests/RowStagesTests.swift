import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct RowStagesTests {
  let cities = TestRows.batch(
    ["city", "temp"],
    [["Oslo", 3], ["Rome", 15], ["Oslo", 5], ["Rome", 25], ["Lima", 20]])

  func column(_ index: Int, _ yaml: String, _ table: Batch, sides: [Batch] = []) throws -> [String]
  {
    try rows(yaml, table, sides: sides).dropFirst().map {
      String($0.split(separator: "|")[index].filter { $0 != " " })
    }
  }

  @Test func headKeepsTheFirstRows() throws {
    #expect(try column(1, "head: 2", cities) == ["3", "15"])
    #expect(try column(1, "head: 50", cities).count == 5)
    #expect(try column(1, "head: 0", cities) == [])
  }

  @Test func headStopsWhatIsUpstream() throws {
    let bound = try stage("head: 2").bind(cities.schema, sides: [], context())
    guard case .stream(_, let make) = bound else { throw StageMistake("head is no stream") }
    #expect(try make().process(cities, input: 0) { _ in .more } == .enough)
  }

  @Test func tailKeepsTheLastRows() throws {
    #expect(try column(1, "tail: 2", cities) == ["25", "20"])
    #expect(try column(1, "tail: 50", cities).count == 5)
  }

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

  @Test func topOrdersWithinGroups() throws {
    #expect(try column(1, "top: { n: 2, by: -temp }", cities) == ["25", "20"])
    #expect(try column(1, "top: { n: 1, by: -temp, per: [city] }", cities) == ["5", "25", "20"])
  }

  @Test func sampleIsTheSameForTheSameSeed() throws {
    let table = TestRows.batch(["id"], (1...100).map { [.int($0)] })
    let some = try rows("sample: { n: 5, seed: 1 }", table)
    #expect(some.count == 6 && Set(some).count == 6)
    #expect(try rows("sample: { n: 5, seed: 1 }", table) == some)
    #expect(try rows("sample: { n: 5, seed: 2 }", table) != some)
    #expect(try rows("sample: 200", table).count == 101)
  }

  @Test func unionMatchesColumnsByName() throws {
    let left = TestRows.batch(["id", "x"], [[1, "p"]])
    let right = TestRows.batch(["y", "id"], [["q", 2]])
    #expect(
      try rows("union: [more]", left, sides: [right])
        == ["id | x | y", "1 | “p” | absent", "2 | absent | “q”"])
  }
}
