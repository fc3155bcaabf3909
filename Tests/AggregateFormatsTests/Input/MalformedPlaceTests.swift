import AggregateCore
import AggregateFormats
import Testing

/// Every error of a malformed record names file, line, column, record and byte, however the bytes arrive.
@Suite struct MalformedPlaceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var format: String
    var text: String
    var line: Int
    var column: Int
    var words: [String]
    var rows: Int
    var testDescription: String { "\(format): \(text.debugDescription)" }
  }

  static let cases = [
    Case(
      format: "csv", text: "a,b\n1,2\n\n3,\"x\ny\"\n4,5,6\n7,8\n", line: 6, column: 1,
      words: ["record 3 ", "at byte 17"], rows: 2),
    Case(
      format: "csv", text: "\u{FEFF}a,b\r\n1,2\r\n3\r\n", line: 3, column: 1,
      words: ["record 2 ", "at byte 13"], rows: 1),
    Case(
      format: "csv", text: "a,b\r1,2\r3\r", line: 3, column: 1, words: ["record 2 ", "at byte 8"],
      rows: 1),
    Case(
      format: "csv", text: "a,b\n1,é\nü,\"x\"y\n", line: 3, column: 6,
      words: ["record 2 ", "at byte 15"], rows: 1),
    Case(
      format: "csv", text: "\n\na,b\n1,2\n3,\"x\n4,5\n", line: 5, column: 3,
      words: ["record 2 ", "at byte 12"], rows: 1),
    Case(
      format: "tsv", text: "a\tb\n1\t2\n3\n", line: 3, column: 1,
      words: ["record 2 ", "at byte 8"],
      rows: 1),
    Case(
      format: "ndjson", text: "{\"a\":1}\n\n{\"a\":\"é\"}{\"a\":tru}\n{\"a\":3}\n", line: 3,
      column: 15, words: ["record 3 ", "at byte 24"], rows: 2),
    Case(
      format: "ndjson", text: "\u{FEFF}{\"a\":1}\r\n{\"a\" 2}\r\n", line: 2, column: 6,
      words: ["record 2 ", "at byte 17"], rows: 1),
    Case(
      format: "json", text: "[\n {\"a\":1},\n\n {\"a\":\n  x}\n]", line: 5, column: 3,
      words: ["record 2 ", "at byte 22"], rows: 1),
    Case(
      format: "json", text: "[1, 2,\n3\n", line: 3, column: 1, words: ["no closing", "at byte 9"],
      rows: 3),
    Case(
      format: "json", text: "[1]\n x", line: 2, column: 2, words: ["the end", "at byte 5"], rows: 1),
    Case(
      format: "json", text: "{\"a\":\n 1,}", line: 2, column: 4, words: ["record 1 ", "at byte 9"],
      rows: 0),
  ]

  @Test(arguments: cases) func placeIsTold(_ wanted: Case) async throws {
    for size in [1, 2, 3, 7, 64, 4096] {
      let reading = await Fixture.read(wanted.text, name: "in", block: size, batch: size) {
        $0.format = wanted.format
      }
      let error = try #require(reading.failure as? AggregateError, "blocks of \(size)")
      #expect(error.code == .badData)
      #expect(
        error.location == SourceLocation(file: "in", line: wanted.line, column: wanted.column),
        "blocks of \(size)")
      for word in wanted.words { #expect("\(error.message) ".contains(word), "blocks of \(size)") }
      #expect(reading.rows.count == wanted.rows, "blocks of \(size)")
    }
  }

  @Test func lineIsRightBehindBytesThatWereReplaced() async throws {
    var bytes = Array("a,b\n1,".utf8)
    bytes += [0xFF, 0xFE, 10] + Array("2\n".utf8)
    let reading = await Fixture.read(bytes, name: "in.csv")
    let error = try #require(reading.failure as? AggregateError)
    #expect(error.location == SourceLocation(file: "in.csv", line: 3, column: 1))
    #expect(error.message.contains("record 2 ") && error.message.contains("at byte 9"))
  }
}
