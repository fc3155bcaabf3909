import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateStages

@Suite struct DuckDBPartsTests {
  @Test(arguments: [
    ("0", 0, "0"), ("-1", 0, "-1"), ("1.5", 3, "1.500"), ("-0.05", 2, "-0.05"),
    ("18446744073709551616", 0, "18446744073709551616"),
    ("99999999999999999999999999999999999999", 0, "99999999999999999999999999999999999999"),
    ("-100000000000000000000000000000000000", 1, "-100000000000000000000000000000000000.0"),
  ])
  func hugeNumbersKeepTheirDigits(text: String, scale: Int, expected: String) {
    var text = text
    let number = text.withUTF8 { DuckDBHugeInt(UnsafeRawBufferPointer($0), scale: scale) }
    #expect(number?.text(scale: scale) == expected)
  }

  @Test(arguments: ["1e5", "", "x", "1.25", "1701411834604692317316873037158841057270"])
  func whatIsNoHugeNumberIsNil(text: String) {
    var text = text == "" ? "-x" : text
    #expect(text.withUTF8 { DuckDBHugeInt(UnsafeRawBufferPointer($0), scale: 1) } == nil)
  }

  @Test func messagesAreTakenApart() {
    let message = DuckDBMessage(
      "Binder Error: Referenced column \"b\" not found!\nCandidate bindings: \"a\"\n\n"
        + "LINE 2:   a, b\n             ^")
    #expect(
      message.text
        == "Binder Error: Referenced column \"b\" not found! Candidate bindings: \"a\"")
    #expect(message.place == DuckDBMessage.Place(line: 2, column: 6, snippet: nil))
    let cut = DuckDBMessage("Parser Error: x\n\nLINE 1: ...cde, nope from...\n                   ^")
    #expect(cut.place == DuckDBMessage.Place(line: 1, column: 9, snippet: "cde, nope from"))
    #expect(DuckDBMessage("Out of Memory Error: no").place == nil)
  }

  @Test func placesAreFoundInTheLineOfTheFile() {
    let line = "      query: \"SELECT nope\""
    let query = LocatedText(
      "SELECT nope", at: SourceLocation(file: "f", line: 4, column: 14, text: line))
    #expect(QueryPlace.location(in: query, line: 1, column: 8).column == 22)
    #expect(QueryPlace.location(in: query, byte: 7).column == 22)
    let block = LocatedText(
      "SELECT\n  nope\n", at: SourceLocation(file: "f", line: 4, column: 8, text: "  sql: |"))
    let place = QueryPlace.location(in: block, line: 2, column: 3)
    #expect(place.line == 6)
    #expect(place.text == "  nope")
  }

  @Test func aMissingLibrarySaysWhatWasTried() {
    let error = #expect(throws: AggregateError.self) {
      try DuckDBLibrary(path: "/nowhere/libduckdb.so")
    }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("/nowhere/libduckdb.so") == true)
    #expect(DuckDBLibrary.pythonVersion(ofModule: "/a/_duckdb.cpython-311-x86_64.so") == "3.11")
    #expect(DuckDBLibrary.pythonVersion(ofModule: "libduckdb.so") == nil)
  }
}
