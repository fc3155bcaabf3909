import AggregateCore
import Testing

@Suite struct ShardTests {
  @Test(arguments: [0, 1, 2, 5, 17], [1, 2, 3, 5, 20])
  func runsAreEvenAndLoseNothing(items: Int, count: Int) {
    let runs = Shard.runs(of: Array(0..<items), count: count)
    #expect(runs.flatMap { $0 } == Array(0..<items))
    #expect(runs.count == min(items, count))
    let lengths = runs.map(\.count)
    #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
    #expect(!lengths.contains(0))
  }

  @Test func textsAreJSON() {
    #expect(Shard.Setting("names", texts: ["a", "b\"c"]).json == "[\"a\",\"b\\\"c\"]")
  }
}
