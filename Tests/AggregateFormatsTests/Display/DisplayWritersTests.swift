import AggregateCore
import AggregateFormats
import Foundation
import Testing

@Suite struct DisplayWritersTests {
  private let names = ["id", "name"]
  private let rows: [[Value]] = [
    [.number("1"), .text("東京")], [.number("20"), .text("e\u{301}🙂x")],
    [.null, .text("a\nb\u{1B}[31m")],
  ]

  @Test func tableAlignsByTheWidthOnAScreen() throws {
    #expect(
      try Fixture.write(names, rows, as: "table") == """
        id  name
        ──  ──────────────
         1  東京
        20  e\u{301}🙂x
            a\\nb\\u{1b}[31m

        """)
  }

  @Test func tableIsCutOnlyForATerminal() throws {
    let long: [[Value]] = [[.number("1"), .text(String(repeating: "x", count: 100))]]
    let cut = try Fixture.write(
      names, long, as: "table", OutputOptions(style: TerminalStyle(width: 20)))
    #expect(cut.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 20 })
    #expect(cut.contains("…"))
    #expect(
      try Fixture.write(names, long, as: "table").contains(String(repeating: "x", count: 100)))
    let wide = (0..<60).map { "column_\($0)" }
    _ = try Fixture.write(
      wide, [wide.map { .text($0) }], as: "table", OutputOptions(style: TerminalStyle(width: 80)))
  }

  @Test func tableStreamsBehindTheLearnedRows() throws {
    let many = (0..<TableWriter.learnedRows * 2 + 3).map { [Value.int(Int64($0)), .text("n")] }
    let text = try Fixture.write(names, many, as: "table")
    #expect(text.split(separator: "\n").count == many.count + 2)
    #expect(text.contains("2002  n"))
  }

  @Test func tableWithoutRowsIsItsHeader() throws {
    #expect(try Fixture.write(names, [], as: "table") == "id  name\n──  ────\n")
  }

  @Test func colourIsOnlyThereWhenAskedFor() throws {
    for format in ["table", "vertical", "chart"] {
      let plain = try Fixture.write(names, [rows[0]], as: format)
      #expect(!plain.contains("\u{1B}"))
      let style = TerminalStyle(hasColor: true)
      #expect(
        try Fixture.write(names, [rows[0]], as: format, OutputOptions(style: style))
          .contains("\u{1B}["))
    }
  }

  @Test func markdownEscapesWhatEndsACell() throws {
    #expect(
      try Fixture.write(
        ["n", "a|b"], [[.number("1"), .text("x|y\n<b>")], [.null, .text("\\")]], as: "markdown")
        == "| n | a\\|b |\n| ---: | --- |\n| 1 | x\\|y<br>&lt;b> |\n|  | \\\\ |\n")
  }

  @Test func verticalHasALinePerValue() throws {
    #expect(
      try Fixture.write(names, [[.number("1"), .text("x")], [.null, .text("y")]], as: "vertical")
        == "── row 1 ──\nid    1\nname  x\n── row 2 ──\nid\nname  y\n")
  }

  @Test func yamlQuotesWhatLooksLikeSomethingElse() throws {
    let texts = [
      "no", "007", "", "x: y", "null", "~", "2024-01-01", "a #b", "- a", "Yes", "end:", "é", "1.5",
      "two\nlines", "http://x", "a b", "*x", "\u{7F}", "{x}",
    ]
    let text = try Fixture.write(["v"], texts.map { [.text($0)] }, as: "yaml")
    let plain = Set(["é", "http://x", "a b"])
    let wanted = texts.map { text in
      let quoted = text == "\u{7F}" ? "\"\\x7f\"" : EscapedText.quoted(text)
      return "- v: " + (plain.contains(text) ? text : quoted) + "\n"
    }
    #expect(text == wanted.joined())
    #expect(
      try Fixture.write(
        ["id", "o", "n", "b"],
        [
          [.number("1.10"), .json("{\"a\": [1,\n2]}"), .null, .bool(true)],
          [.absent, .absent, .absent, .absent],
        ],
        as: "yaml")
        == "- id: 1.10\n  o: {\"a\":[1,2]}\n  \"n\": null\n  b: true\n- {}\n")
    #expect(try Fixture.write(["v"], [], as: "yaml") == "[]\n")
  }

  @Test func htmlEscapesValuesAndLoadsNothing() throws {
    let text = try Fixture.write(
      ["<a>"], [[.text("<script>alert(1)</script>")], [.text("http://x/?a&b")]], as: "html",
      OutputOptions(title: "T & <i>"))
    #expect(text.hasPrefix("<!DOCTYPE html>"))
    #expect(!text.contains("<script>alert"))
    #expect(
      text.contains("&lt;script&gt;alert(1)") && text.contains("<th tabindex=\"0\">&lt;a&gt;"))
    #expect(text.contains("<title>T &amp; &lt;i&gt;</title>"))
    #expect(!text.contains("src=") && !text.contains("href="))
  }

  @Test func chartDrawsBarsToScale() throws {
    let text = try Fixture.write(
      ["name", "value"], [[.text("x"), .number("3")], [.text("y"), .number("30")]], as: "chart")
    let bars = text.split(separator: "\n").map { line in line.filter { $0 == "█" }.count }
    #expect(bars.count == 3 && bars[2] == 10 * bars[1] + 4 || bars[2] > 9 * bars[1])
    let negative = try Fixture.write(
      ["name", "value"], [[.text("x"), .number("-3")], [.text("y"), .number("1e400")]], as: "chart")
    #expect(negative.contains("-3"))
    #expect(throws: AggregateError.self) {
      try Fixture.write(["a"], [[.text("x")]], as: "chart")
    }
  }

  @Test func singerNamesItsStream() throws {
    let schema = Schema([ColumnSpec("id", .int), ColumnSpec("t", .instant), ColumnSpec("v")])
    var rows = BatchBuilder(schema: schema)
    rows.append(Int64(1))
    rows.append("2024-01-01T00:00:00Z")
    rows.append(Value.absent)
    rows.endRow()
    let text = try Fixture.write(
      schema, [rows.finish()], as: "singer", OutputOptions(title: "items"))
    let messages = try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(messages.map { $0["type"] as? String } == ["SCHEMA", "RECORD", "STATE"])
    #expect(messages[1]["stream"] as? String == "items")
    #expect((messages[1]["record"] as? [String: Any])?.count == 2)
  }

  @Test func formatsThatAreMissingSayWhatIsMissing() {
    #expect {
      _ = try Fixture.write(names, rows, as: "parquet")
    } throws: { "\($0)".contains("parquet") && "\($0)".contains("cannot write") }
    #expect {
      _ = try FormatRegistry().writer(named: "tabel", OutputOptions())
    } throws: { "\($0)".contains("table") }
    let read = FormatSpec(
      "feed", "Read only.", extensions: [], isFlat: false, reading: .rows { _, _, _ in [] })
    #expect {
      _ = try FormatRegistry([read]).writer(named: "feed", OutputOptions())
    } throws: { "\($0)".contains("not written") }
  }

  @Test func extensionsNameFormats() {
    let registry = FormatRegistry()
    #expect(registry.format(forPath: "a/b.csv.gz")?.name == "csv")
    #expect(registry.format(forPath: "x.JSONL")?.name == "ndjson")
    #expect(registry.format(forPath: "dir.csv/x") == nil)
    #expect(registry.format(forPath: "csv") == nil)
    #expect(Set(registry.names).count == registry.names.count)
  }
}
