import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct HeadStageTests {
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
}
