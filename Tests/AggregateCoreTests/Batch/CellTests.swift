import AggregateCore
import Testing

@Suite struct CellTests {
  @Test(arguments: [0, 1, 255, 1 << 20, Cell.maximumLength], [0, 1, 1 << 31, Cell.maximumOffset])
  func packingKeepsKindOffsetAndLength(_ length: Int, _ offset: Int) {
    for kind in CellKind.allCases {
      let cell = Cell(kind, offset: offset, length: length)
      #expect(cell.kind == kind)
      #expect(cell.offset == offset)
      #expect(cell.length == length)
      #expect(cell.range == offset..<offset + length)
      #expect(Cell(bits: cell.bits) == cell)
    }
  }

  @Test func kindsSayWhatTheyAre() {
    #expect(CellKind.allCases.filter(\.isNull) == [.absent, .null])
    #expect(CellKind.allCases.filter(\.isText) == [.text, .escapedText])
    #expect(CellKind.allCases.filter(\.isNumber) == [.integer, .real])
    #expect(CellKind.allCases.filter(\.isNested) == [.object, .array])
    #expect(Cell.absent.bits == 0)
  }
}
