import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SampleStageTests {
  @Test func sampleIsTheSameForTheSameSeed() throws {
    let table = TestRows.batch(["id"], (1...100).map { [.int($0)] })
    let some = try rows("sample: { n: 5, seed: 1 }", table)
    #expect(some.count == 6 && Set(some).count == 6)
    #expect(try rows("sample: { n: 5, seed: 1 }", table) == some)
    #expect(try rows("sample: { n: 5, seed: 2 }", table) != some)
    #expect(try rows("sample: 200", table).count == 101)
  }
}
