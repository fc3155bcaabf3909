import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateStages

@Suite struct SpillingTests {
  static let stages = [
    "sort: [v, -n]",
    "dedupe: { by: [k] }",
    "dedupe: { by: [k, n], keep: last }",
    "dedupe: {}",
    "tail: 700",
    "tail: 3",
    "group: { by: [k], set: { n: count(), s: sum(v), f: first(t), l: last(t), d: count(distinct n) } }",
    "group: { by: [n] }",
    "group: { set: { s: sum(v) } }",
    "pivot: { rows: [k], columns: n, values: sum(v) }",
    "window: { by: [k], sort: [v], set: { p: lag(t), r: sum(v), i: row_number(), k: rank() } }",
    "window: { set: { r: sum(v) } }",
    "join: { with: other, on: [k] }",
    "join: { with: other, on: { k: k, n: m }, kind: left }",
    "join: { with: other, on: [k], kind: right }",
    "join: { with: other, on: [k], kind: full }",
    "join: { with: other, on: [k], kind: semi }",
    "join: { with: other, on: [k], kind: anti }",
    "join: { with: other, on: [k], kind: asof, as_of: { v: m } }",
  ]

  /// Rows with many keys, nulls, absent values, numbers of several kinds and nested values.
  private static func table(_ count: Int, seed: UInt64, _ names: [String]) -> Batch {
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    let rows = (0..<count).map { row -> [Value] in
      let key: Value = next(20) == 0 ? .null : .text("key \(next(400))")
      let number: Value = next(30) == 0 ? .absent : .int(Int64(next(7)))
      let value: Value = next(3) == 0 ? .number("\(next(90)).50") : .int(Int64(next(100)))
      let text: Value = next(9) == 0 ? .json(#"{"row":\#(row)}"#) : .text("row \(row)")
      return [key, number, value, text]
    }
    return TestRows.batch(names, rows)
  }

  @Test(arguments: stages, [1, 3000, 40_000])
  func littleMemoryGivesTheSameRows(yaml: String, maxMemory: Int) throws {
    let main = Self.table(2500, seed: 7, ["k", "n", "v", "t"])
    let other = Self.table(600, seed: 8, ["k", "m", "w", "t"])
    let stage = try stage(yaml)
    let sides = stage.sideInputs.map { _ in other }
    let expected = try shown(stage, main, sides, 1 << 30)
    #expect(!expected.isEmpty)
    #expect(try shown(stage, main, sides, maxMemory) == expected)
  }

  @Test func partsGiveBackEveryRowWithItsNumberOnce() throws {
    let main = Self.table(5000, seed: 3, ["k", "n", "v", "t"])
    let parts = try RowPartitions(main.schema, context(maxMemory: 1))
    let keys = KeyEncoder(ascending: 1).encode([main.columns[0]], rowCount: main.rowCount)
    try parts.append(main, numbers: main.numbers(from: 10), keys: keys)
    var seen: [Int64: String] = [:]
    var partOfKey: [String: Int] = [:]
    for part in 0..<RowPartitions.count {
      var last = Int64.min
      try parts.forEach(part) { batch, numbers in
        #expect(batch.schema == main.schema)
        for (row, number) in zip(TestRows.shown([batch]), numbers) {
          #expect(number > last)
          last = number
          #expect(seen.updateValue(row, forKey: number) == nil)
          let key = String(row.prefix { $0 != "|" })
          #expect(partOfKey.updateValue(part, forKey: key) ?? part == part)
        }
      }
    }
    #expect(seen.sorted { $0.key < $1.key }.map(\.value) == TestRows.shown([main]))
    #expect(Set(partOfKey.values).count > RowPartitions.count / 2)
  }
}
