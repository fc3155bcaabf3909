import AggregateCore
import AggregateFormats
import Testing

@Suite struct CSVWritingTests {
  private func write(
    _ names: [String], _ rows: [[Value]], _ configure: (inout CSVDialect) -> Void = { _ in }
  ) throws -> String {
    try Fixture.write(names, rows, as: "csv", Fixture.csv(configure))
  }

  @Test func nullAndEmptyTextStayApart() throws {
    let rows: [[Value]] = [[.null, .text("")], [.absent, .text("x")]]
    #expect(try write(["a", "b"], rows) == "a,b\n,\"\"\n,x\n")
    #expect(try write(["a", "b"], rows) { $0.nullText = "\\N" } == "a,b\n\\N,\"\"\n\\N,x\n")
  }

  @Test func textThatEqualsTheNullTextIsQuoted() throws {
    #expect(
      try write(["a"], [[.text("NA")], [.null], [.text("NAN")]]) { $0.nullText = "NA" }
        == "a\n\"NA\"\nNA\nNAN\n")
  }

  @Test func quotesStandOnlyWhereNeeded() throws {
    let texts = ["a,b", "say \"hi\"", "two\nlines", "cr\r", " x ", "plain", "a;b", "Zoë 東京 🙂"]
    #expect(
      try write(["v"], texts.map { [.text($0)] })
        == "v\n\"a,b\"\n\"say \"\"hi\"\"\"\n\"two\nlines\"\n\"cr\r\"\n x \nplain\na;b\nZoë 東京 🙂\n")
    #expect(
      try write(["v"], [[.text("a,b")], [.text("a;b")]]) { $0.delimiter = UInt8(ascii: ";") }
        == "v\na,b\n\"a;b\"\n")
  }

  @Test func specialBytesAreSeenAtEveryPlaceInAWord() throws {
    for special in [",", "\"", "\n", "\r"] {
      for length in 0..<20 {
        let text = String(repeating: "x", count: length) + special
        let inside = special == "\"" ? text.replacing("\"", with: "\"\"") : text
        #expect(try write(["v"], [[.text(text)]]) == "v\n\"\(inside)\"\n")
      }
    }
  }

  @Test func valuesOfEveryKindAreWritten() throws {
    let row: [Value] = [
      .number("1.10"), .bool(true), .bool(false), .json("[\"a\",\"b,c\"]"), .json("{\"a\":1}"),
      .int(-5), .instant(Instant(microseconds: 0)),
    ]
    #expect(
      try write(["a", "b", "c", "d", "e", "f", "g"], [row])
        == "a,b,c,d,e,f,g\n1.10,true,false,\"[\"\"a\"\",\"\"b,c\"\"]\",\"{\"\"a\"\":1}\",-5,"
        + "1970-01-01T00:00:00Z\n")
  }

  @Test func computedColumnsAreWritten() throws {
    let schema = Schema(["i", "d", "b", "t"].map { ColumnSpec($0) })
    let date = CalendarDate(days: 1)
    let batch = Batch(
      schema: schema,
      columns: [
        .ints(Vector([.min, 0, 7], nulls: [false, true, false])), .doubles(Vector([2, 0.5, 1e30])),
        .bools(Vector([true, false, true], nulls: [false, false, true])),
        .dates(Vector([date, date, date])),
      ], rowCount: 3)
    #expect(
      try Fixture.write(schema, [batch], as: "csv")
        == "i,d,b,t\n-9223372036854775808,2.0,true,1970-01-02\n,0.5,false,1970-01-02\n"
        + "7,1e+30,,1970-01-02\n")
  }

  @Test func listsAreJoinedOnDemand() throws {
    let rows: [[Value]] = [[.json("[\"a\", 1.10 ,null,\"x\\ny\",[1]]")], [.json("[]")], [.text("t")]]
    #expect(
      try write(["v"], rows) { $0.listSeparator = "; " }
        == "v\n\"a; 1.10; ; x\ny; [1]\"\n\"\"\nt\n")
  }

  @Test func formulasAreGuardedAndNumbersAreNot() throws {
    let rows: [[Value]] = [
      [.text("=1+1")], [.text("-cmd|x")], [.text("@S")], [.text("\t=1")], [.text("-12.5")],
      [.number("-3")], [.text("+1,2")],
    ]
    #expect(
      try write(["v"], rows) { $0.guardsFormulas = true }
        == "v\n'=1+1\n'-cmd|x\n'@S\n'\t=1\n-12.5\n-3\n\"'+1,2\"\n")
  }

  @Test func dialectOptionsHold() throws {
    let rows: [[Value]] = [[.number("1"), .null], [.number("2"), .text("a|b")]]
    #expect(
      try write(["id", "n"], rows) {
        $0.delimiter = UInt8(ascii: "|")
        $0.hasHeader = false
        $0.endsLinesWithCRLF = true
        $0.nullText = "-"
      } == "1|-\r\n2|\"a|b\"\r\n")
    #expect(try write(["a"], []) { $0.hasByteOrderMark = true } == "\u{FEFF}a\n")
    #expect(try write(["a,1", "b"], []) == "\"a,1\",b\n")
  }

  @Test func longCellsAreWritten() throws {
    let long = String(repeating: "\"", count: 300_000)
    let text = try write(["v"], [[.text(long)], [.text("x")]])
    #expect(text.utf8.count == 2 + 600_003 + 2)
  }

  @Test(arguments: Fixture.sizes) func tableComesBackAsItWas(_ size: Int) async throws {
    let pieces: [Value] = [
      .null, .text(""), .text("a"), .text("a,b"), .text("\""), .text("\"\""), .text("\n"),
      .text("\r\n"), .text("é🙂"), .text(" 12"), .text("007"), .number("1.10"), .number("-0"),
      .text("x\"y"), .text("12345678"), .text("'"), .text("\u{0}"), .text("\t"),
    ]
    let rows = (0..<pieces.count * pieces.count).map { index in
      [pieces[index % pieces.count], pieces[index / pieces.count], .number("\(index)")]
    }
    let text = try write(["a", "b", "c"], rows)
    let reading = await Fixture.read(text, block: size, batch: size) { $0.format = "csv" }
    #expect(reading.message == "")
    let wanted = rows.map { row in
      row.map { $0 == .text("12345678") ? Value.number("12345678") : $0 }
    }
    #expect(reading.rows == wanted)
    #expect(try Fixture.write(reading.schema, reading.batches, as: "csv") == text)
  }

  @Test func tabSeparatedValuesAreEscaped() async throws {
    let rows: [[Value]] = [[.text("a\tb"), .text("c\\n\nd\r")], [.null, .number("1.10")]]
    let text = try Fixture.write(["x", "y\tz"], rows, as: "tsv")
    #expect(text == "x\ty\\tz\na\\tb\tc\\\\n\\nd\\r\n\t1.10\n")
    let reading = await Fixture.read(text) { $0.format = "tsv" }
    #expect(reading.rows == rows)
  }
}
