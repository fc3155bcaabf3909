import AggregateCore
import AggregateTestSupport
import Testing

@Suite struct ColumnTests {
  /// One column of every representation, each with four rows of which row 1 has no value.
  static let columns: [Column] = {
    let day = CalendarDate(days: 10)
    let nulls = [false, true, false, false]
    let text = TestRows.batch(["a"], [["x"], [nil], [.number("1.10")], [.json("[1]")]])
    return [
      text.columns[0],
      .ints(Vector([1, 0, 3, .max], nulls: nulls)),
      .doubles(Vector([1.5, 0, -0.0, 1e300], nulls: nulls)),
      .bools(Vector([true, false, false, true], nulls: nulls)),
      .instants(
        Vector((0..<4).map { Instant(microseconds: Int64($0) * 1_000_000) }, nulls: nulls)),
      .dates(Vector([day, day, CalendarDate(days: -1), day], nulls: nulls)),
    ]
  }()

  private func values(_ column: Column) -> [Value] {
    (0..<column.count).map { column.value(at: $0) }
  }

  @Test(arguments: columns.indices)
  func gatheringTakesTheGivenRows(_ index: Int) {
    let column = Self.columns[index]
    let all = values(column)
    let rows: [Int32] = [3, 1, 1, 0]
    #expect(values(column.gathered(rows)) == rows.map { all[Int($0)] })
    #expect(column.gathered([]).count == 0)
  }

  @Test(arguments: columns.indices)
  func slicingTakesARange(_ index: Int) {
    let column = Self.columns[index]
    let all = values(column)
    for start in 0...4 {
      for end in start...4 {
        #expect(values(column.sliced(start..<end)) == Array(all[start..<end]))
      }
    }
  }

  @Test(arguments: columns.indices)
  func kindAgreesWithTheValue(_ index: Int) {
    let column = Self.columns[index]
    #expect(column.count == 4)
    #expect(column.kind(at: 1) == .null)
    #expect(column.value(at: 1) == .null)
    for row in [0, 2, 3] {
      #expect(!column.kind(at: row).isNull)
      #expect(!column.value(at: row).isNull)
    }
  }

  @Test func spansKeepWhatWasRead() {
    let cells = [
      Cell(.absent), Cell(.null), Cell(.text, offset: 0, length: 3),
      Cell(.escapedText, offset: 3, length: 2), Cell(.true), Cell(.false),
      Cell(.real, offset: 5, length: 4), Cell(.object, offset: 9, length: 2),
    ]
    let column = Column.spans(SpanColumn(buffer: ByteBuffer(#"abc\n1.10{}"#), cells: cells))
    #expect(
      values(column) == [
        .absent, .null, .text("abc"), .text("\n"), .bool(true), .bool(false), .number("1.10"),
        .json("{}"),
      ])
  }

  @Test func nullsAndConstantsHaveTheirCount() {
    #expect(values(.nulls(2)) == [.null, .null])
    #expect(values(.nulls(1, .absent)) == [.absent])
    #expect(values(.constant("é", count: 3)) == ["é", "é", "é"])
    #expect(values(.constant("", count: 1)) == [""])
  }
}
