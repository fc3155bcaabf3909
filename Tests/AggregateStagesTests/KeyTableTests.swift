import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct KeyTableTests {
  func keys(_ values: [Value]) -> EncodedKeys {
    let batch = TestRows.batch(["v"], values.map { [$0] })
    return KeyEncoder(ascending: 1).encode(batch.columns, rowCount: batch.rowCount)
  }

  @Test func numbersKeysInTheOrderTheyAppear() {
    let table = KeyTable()
    let first = table.assign(keys(["b", "a", "b", nil]))
    #expect(first.groups == [0, 1, 0, 2] && first.newRows == [0, 1, 3])
    let second = table.assign(keys(["c", .absent, "a"]))
    #expect(second.groups == [3, 2, 1] && second.newRows == [0])
    #expect(table.find(keys(["a", "z"])) == [1, -1])
  }

  @Test func growsOverManyKeys() {
    let table = KeyTable()
    for start in stride(from: 0, to: 20_000, by: 1000) {
      let values = (start..<start + 1000).map { Value.text("key number \($0)") }
      #expect(table.assign(keys(values)).newRows.count == 1000)
    }
    #expect(table.count == 20_000)
    #expect(table.find(keys(["key number 0", "key number 19999"])) == [0, 19_999])
  }

  @Test func computedAndReadValuesHaveTheSameKeys() {
    let date = CalendarDate(days: 19_000)
    let instant = Instant(microseconds: 1_700_000_000_500_000)
    let typed: [Column] = [
      .ints(Vector([5, -12])), .doubles(Vector([2.5, 1e300])), .bools(Vector([true, false])),
      .dates(Vector([date, CalendarDate(days: -1)])),
      .instants(Vector([instant, Instant(microseconds: 0)])),
    ]
    for column in typed {
      let values = (0..<2).map { column.value(at: $0) }
      let computed = KeyEncoder(ascending: 1).encode([column], rowCount: 2)
      let read = keys(values)
      for row in 0..<2 {
        #expect(computed.withKey(row) { Array($0) } == read.withKey(row) { Array($0) })
      }
    }
  }
}
