import AggregateCore
import AggregateFormats
import Testing

@Suite struct CSVReadingTests {
  /// Reads as CSV at every block and batch size; all must give the same, which is returned.
  private func read(
    _ text: String, _ configure: (inout InputOptions) -> Void = { _ in }
  ) async -> Reading {
    let whole = await Fixture.read(text) {
      $0.format = "csv"
      configure(&$0)
    }
    for size in Fixture.sizes {
      let parts = await Fixture.read(text, block: size, batch: size) {
        $0.format = "csv"
        configure(&$0)
      }
      #expect(parts.rows == whole.rows, "blocks of \(size)")
      #expect(parts.schema == whole.schema, "blocks of \(size)")
      #expect(parts.message == whole.message, "blocks of \(size)")
      #expect(parts.batches.allSatisfy { $0.rowCount <= size })
    }
    return whole
  }

  @Test func emptyCellIsNullAndQuotedEmptyCellIsEmptyText() async {
    let reading = await read("a,b\n1,\n2,\"\"\n,\n")
    #expect(
      reading.rows == [
        [.number("1"), .null], [.number("2"), .text("")], [.null, .null],
      ])
  }

  @Test func onlyNumbersInTheFormOfJSONAreNumbers() async {
    let numbers = [
      "0", "12", "-3", "2.5", "1E5", "-0", "123456789012345678901234567890", "1e400", "12345678",
      "10000000", "99999999", "123456789", "-12345678",
    ]
    let texts = [
      "007", "+1", "1_000", "0x1F", " 12", "12 ", "true", ".5", "5.", "NaN", "-", "1-2", "1:30",
      "12/3", "2024-01-01", "1234567a", "1234567:", "1234567/",
    ]
    let reading = await read("v\n" + (numbers + texts).joined(separator: "\n"))
    #expect(
      reading.rows == numbers.map { [Value.number($0)] } + texts.map { [Value.text($0)] })
  }

  @Test func quotedNumberIsText() async {
    #expect(await read("a\n\"12\"\n").rows == [[.text("12")]])
  }

  @Test func quotesAreUndone() async {
    let text = "a,b\n\"say \"\"hi\"\"\",\"x,y\"\n\"\"\"\",\"\"\"a\"\"\"\n\"two\nlines\",\"\r\n\"\n"
    #expect(
      await read(text).rows == [
        [.text("say \"hi\""), .text("x,y")], [.text("\""), .text("\"a\"")],
        [.text("two\nlines"), .text("\r\n")],
      ])
  }

  @Test func lineEndsOfEveryKindEndARecord() async {
    for end in ["\n", "\r\n", "\r"] {
      let reading = await read("a,b\(end)1,x\(end)2,\"y\"\(end)")
      #expect(reading.rows == [[.number("1"), .text("x")], [.number("2"), .text("y")]])
      let open = await read("a,b\(end)1,x\(end)2,")
      #expect(open.rows == [[.number("1"), .text("x")], [.number("2"), .null]])
    }
  }

  @Test func quoteInsideAnUnquotedCellIsKept() async {
    let reading = await read("a,b\n1,5\" pipe\n2,x\"y\"z\n3,ok\n")
    #expect(
      reading.rows == [
        [.number("1"), .text("5\" pipe")], [.number("2"), .text("x\"y\"z")],
        [.number("3"), .text("ok")],
      ])
  }

  @Test func byteOrderMarkIsNoPartOfTheFirstName() async {
    let reading = await read("\u{FEFF}\"a\",b\n1,x\n")
    #expect(reading.schema.names == ["a", "b"])
    #expect(reading.rows == [[.number("1"), .text("x")]])
  }

  @Test func repeatedNamesAreNumberedAndToldOnce() async {
    let reading = await read("x,x,x\n1,2,3\n")
    #expect(reading.schema.names == ["x", "x_2", "x_3"])
    #expect(reading.warnings.count == 1)
    #expect(await read("x,x_2,x\n1,2,3\n").schema.names == ["x", "x_2", "x_3"])
    #expect(await read("a,,b\n1,2,3\n").schema.names == ["a", "column_2", "b"])
    #expect(
      await read(",column_1\n1,2\n").schema.names == ["column_1_2", "column_1"])
  }

  @Test func wrongNumberOfCellsEndsTheRunBehindTheGoodRows() async {
    let reading = await read("a,b\n1,2\n\n3,\"x\ny\"\n4,5,6\n7,8\n")
    #expect(reading.rows == [[.number("1"), .number("2")], [.number("3"), .text("x\ny")]])
    #expect(reading.message.contains("input:6:1: record 3 "))
    #expect(reading.message.contains("3 cells where 2 are expected"))
    #expect(await read("a,b\n1\n").message.contains("1 cell where 2 are expected"))
  }

  @Test func openQuoteEndsTheRun() async {
    let reading = await read("a,b\n0,z\n1,\"x\n2,y\n")
    #expect(reading.rows == [[.number("0"), .text("z")]])
    #expect(reading.message.contains("input:3:3: record 2 "))
    #expect(await read("a,\"b\n1,2\n").message.contains("never closed"))
  }

  @Test func textBehindAClosingQuoteIsMalformed() async {
    #expect(await read("a,b\n\"x\"y,1\n").message.contains("closing quote"))
  }

  @Test func malformedRecordsAreLeftOutWhenAllowed() async {
    let reading = await read("a,b\n1,2\n3\n\"x\"y,\"q\nr\"\n4,5,6\n7,8\n") {
      $0.skipsMalformed = true
    }
    #expect(reading.rows == [[.number("1"), .number("2")], [.number("7"), .number("8")]])
    #expect(reading.message == "")
  }

  @Test func raggedRecordsAreFilledAndTheRestIsKept() async {
    let reading = await read("a,b\n1\n2,3,x,4,\"q\"\"\"\n5,6\n") {
      $0.dialect.allowsRaggedRows = true
    }
    #expect(reading.schema.names == ["a", "b", "_extra"])
    #expect(
      reading.rows == [
        [.number("1"), .null, .null],
        [.number("2"), .number("3"), .json("[\"x\",4,\"q\\\"\"]")],
        [.number("5"), .number("6"), .null],
      ])
  }

  @Test func withoutHeaderColumnsAreNumbered() async {
    let reading = await read("1,x\n2,y") { $0.dialect.hasHeader = false }
    #expect(reading.schema.names == ["column_1", "column_2"])
    #expect(reading.rows.count == 2)
  }

  @Test func nullTextIsNullUnlessQuoted() async {
    let reading = await read("a,b\nNA,\"NA\"\nN,\n") { $0.dialect.nullText = "NA" }
    #expect(reading.rows == [[.null, .text("NA")], [.text("N"), .null]])
  }

  @Test func oneColumnKeepsItsNullRows() async {
    #expect(await read("v\na\n\nb\n").rows == [[.text("a")], [.null], [.text("b")]])
  }

  @Test func emptyInputHasNoColumns() async {
    let reading = await read("")
    #expect(reading.schema.names == [] && reading.rows == [] && reading.message == "")
    #expect(await read("a,b\n").schema.names == ["a", "b"])
  }

  @Test func badUTF8IsReplacedAndToldOnce() async {
    let bytes = Array("a,b\n".utf8) + [0xFF, 0x2C, 0xC3, 0x0A] + Array("é,\u{0}\n".utf8)
    let reading = await Fixture.read(bytes) { $0.format = "csv" }
    #expect(
      reading.rows == [[.text("\u{FFFD}"), .text("\u{FFFD}")], [.text("é"), .text("\u{0}")]])
    #expect(reading.warnings.count == 1)
  }

  @Test func bigCellCrossesManyBlocks() async {
    let big = String(repeating: "y\n", count: 100_000)
    let reading = await Fixture.read("a,b\n1,\"\(big)\"\n2,z\n", block: 4096) { $0.format = "csv" }
    #expect(reading.rows == [[.number("1"), .text(big)], [.number("2"), .text("z")]])
  }

  @Test func tabSeparatedEscapesAreUndone() async {
    for size in Fixture.sizes {
      let reading = await Fixture.read(
        "a\tb\n1\tx\\ty\\n\\\\n\\q\n\"2\t\n", block: size, batch: size
      ) { $0.format = "tsv" }
      #expect(
        reading.rows == [[.number("1"), .text("x\ty\n\\n\\q")], [.text("\"2"), .null]])
    }
  }
}
