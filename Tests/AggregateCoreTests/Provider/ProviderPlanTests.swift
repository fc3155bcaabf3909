import AggregateCore
import Testing

@Suite struct ProviderPlanTests {
  private func plan(_ keys: [(count: Int?, batch: Int)]) -> ProviderPlan {
    var plan = ProviderPlan()
    plan.knowsPartitions = true
    plan.keys = keys.map {
      ProviderPlan.Key(name: "k", origin: .list, count: $0.count, batch: $0.batch)
    }
    return plan
  }

  @Test func partitionsAreAllCombinations() {
    #expect(plan([]).partitions == 1)
    #expect(plan([(3, 1), (4, 1)]).partitions == 12)
    #expect(plan([(3, 1), (0, 1)]).partitions == 0)
  }

  @Test func aBatchCountsOnce() {
    #expect(plan([(5, 2)]).partitions == 3)
    #expect(plan([(4, 2)]).partitions == 2)
    #expect(plan([(Int.max, 2)]).partitions == Int.max / 2 + 1)
  }

  @Test func whatIsNotKnownHasNoNumber() {
    #expect(plan([(3, 1), (nil, 1)]).partitions == nil)
    #expect(plan([(Int.max, 1), (3, 1)]).partitions == nil)
    #expect(ProviderPlan().partitions == nil)
  }
}
