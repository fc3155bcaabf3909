import AggregateCore
import AggregateTestSupport
import Testing

@Suite struct BatchBuilderTests {
  private func row(_ fill: (inout BatchBuilder) -> Void, columns: Int) -> [Value] {
    var builder = BatchBuilder(schema: Schema((0..<columns).map { ColumnSpec("c\($0)") }))
    fill(&builder)
    builder.endRow()
    return builder.finish().row(0)
  }

  @Test func everyKindOfValueIsKept() throws {
    let date = try #require(CalendarDate(year: 2024, month: 2, day: 29))
    let values = row(
      {
        $0.append("text")
        $0.append(Int64.min)
        $0.append(7)
        $0.append(1.5)
        $0.append(number: "1.10")
        $0.append(true)
        $0.append(false)
        $0.append(Instant(date))
        $0.append(date)
        $0.append(list: ["a\"b", "c\n"])
        $0.append(json: "{}", kind: .object)
        $0.append(Value.absent)
      }, columns: 12)
    #expect(
      values == [
        "text", .number("-9223372036854775808"), .number("7"), .number("1.5"), .number("1.10"),
        true, false, "2024-02-29T00:00:00Z", "2024-02-29", .json(#"["a\"b","c\n"]"#), .json("{}"),
        .absent,
      ])
  }

  @Test func nilAndWhatIsNoNumberAreNull() {
    let values = row(
      {
        $0.append(nil as String?)
        $0.append(nil as Int?)
        $0.append(Double.nan)
        $0.append(-Double.infinity)
        $0.append(number: "007")
        $0.append(list: nil)
        $0.append(nil as Bool?)
      }, columns: 7)
    #expect(values == Array(repeating: .null, count: 7))
  }

  @Test(arguments: [
    (0.1, "0.1"), (12.0, "12"), (-0.0, "-0"), (1e21, "1e+21"),
    (Double.leastNonzeroMagnitude, "5e-324"),
  ])
  func realNumbersHaveTheirShortestText(_ value: Double, _ text: String) {
    #expect(row({ $0.append(value) }, columns: 1) == [.number(text)])
    #expect(Double(text) == value)
  }

  @Test func rowsOfManyBatchesAreTheSame() {
    let values: [Value] = [
      "a", .int(1), .double(2.5), .bool(true), nil, .absent, .json("[1]"), .number("1e400"),
    ]
    for count in [1, 2, 3, 1024, 4096] {
      var builder = BatchBuilder(schema: Schema([ColumnSpec("v")]))
      for index in 0..<count {
        builder.append(values[index % values.count])
        builder.endRow()
      }
      #expect(builder.rowCount == count)
      let shown = TestRows.shown([builder.finish()])
      #expect(
        shown == (0..<count).map { TestRows.shown([TestRows.batch(["v"], [[values[$0 % 8]]])])[0] })
    }
  }

  @Test func cellsOfAnotherBufferAreCopied() {
    let buffer = ByteBuffer("xx1.50yy")
    let values = row({ $0.append(Cell(.real, offset: 2, length: 4), of: buffer) }, columns: 1)
    #expect(values == [.number("1.50")])
  }
}
