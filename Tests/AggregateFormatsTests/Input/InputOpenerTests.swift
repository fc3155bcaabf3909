import AggregateCore
import AggregateFormats
import AggregateTestSupport
import AggregateJSON
import Foundation
import Synchronization
import Testing

@Suite struct InputOpenerTests {
  private func ndjson(_ reading: Reading) throws -> String {
    try Fixture.write(reading.schema, reading.batches, as: "ndjson")
  }

  @Test(arguments: Fixture.sizes) func jsonComesBackAsItWas(_ size: Int) async throws {
    let lines = (0..<50).map {
      "{\"id\":\($0),\"n\":1.10,\"t\":\"a\\u00e9\\n\",\"o\":{\"x\":[\($0),{}]},\"e\":null}\n"
    }.joined()
    let reading = await Fixture.read(lines, block: size) { $0.format = "ndjson" }
    #expect(try ndjson(reading) == lines)
    let array = "[" + lines.split(separator: "\n").joined(separator: ",\n ") + "]"
    let elements = await Fixture.read(array, block: size) { $0.format = "json" }
    #expect(try ndjson(elements) == lines)
  }

  @Test func formatIsFoundByTheFirstBytes() async {
    let cases: [(String, String)] = [
      ("{\"a\":1}{\"a\":2}", "ndjson"), ("{\"a\":1}\n\n{\"a\":2}\n", "ndjson"),
      ("[{\"a\":1}]", "json"), (" \n[1]\n", "json"), ("[1]\n[2]\n", "ndjson"),
      // One object: what follows it may not have arrived yet, and as documents it is the same row.
      ("{\n\"a\": 1\n}\n", "ndjson"), ("a,b\n1,2\n", "csv"), ("a\tb\n1\t2,3\n", "tsv"),
      ("a\tb,c\n", "csv"), ("\u{FEFF}{\"a\":1}", "ndjson"), ("a\n", "csv"),
    ]
    for (text, format) in cases {
      let reading = await Fixture.read(text)
      #expect(reading.format == format, "\(text)")
      #expect(reading.message == "", "\(text)")
    }
  }

  @Test func extensionDecidesBeforeTheFirstBytes() async {
    #expect(await Fixture.read("{\"a\":1}\n", name: "x.csv").format == "csv")
    #expect(await Fixture.read("a,b\tc\n", name: "dir.d/x.tsv.gz").format == "tsv")
    #expect(await Fixture.read("{\"a\":1}\n{\"a\":2}", name: "x.json").rows.count == 2)
    #expect(
      await Fixture.read("{\"a\":1}\n", name: "x.csv") { $0.format = "json" }.format == "json")
  }

  @Test func unknownFormatIsAnError() async {
    let reading = await Fixture.read("x") { $0.format = "ndjsn" }
    #expect(reading.message.contains("ndjsn") && reading.message.contains("ndjson"))
    #expect(await Fixture.read("x") { $0.format = "table" }.message.contains("not read"))
  }

  @Test func emptyInputHasNoRowsInAnyFormat() async {
    for format in ["csv", "tsv", "json", "ndjson", "auto"] {
      let reading = await Fixture.read("") { $0.format = format }
      #expect(reading.message == "" && reading.rows.isEmpty)
    }
    #expect(await Fixture.read(" \n\n") { $0.format = "json" }.rows.isEmpty)
    #expect(await Fixture.read(" \n\n") { $0.format = "json" }.message == "")
    #expect(await Fixture.read("[]") { $0.format = "json" }.rows.isEmpty)
  }

  @Test func malformedRecordNamesItsPlaceBehindTheGoodRows() async {
    for size in Fixture.sizes {
      let reading = await Fixture.read("{\"a\":1}\n{\"a\":2}\n{\"a\":x}\n{\"a\":4}\n", block: size)
      {
        $0.format = "ndjson"
      }
      #expect(reading.rows.map { $0[0] } == [.number("1"), .number("2")])
      #expect(reading.message.contains("input:3:6: record 3"), "\(reading.message)")
      #expect(reading.message.contains("byte 21"), "\(reading.message)")
    }
  }

  @Test func malformedDocumentsAreLeftOutWhenAllowed() async {
    let reading = await Fixture.read("{\"a\":1}\n{\"a\":x}\n{\"a\":3}\nnope\n{\"a\":5}\n") {
      $0.format = "ndjson"
      $0.skipsMalformed = true
    }
    #expect(reading.rows.map { $0[0] } == [.number("1"), .number("3"), .number("5")])
    #expect(reading.message == "")
  }

  @Test func recordsPathFindsRecordsInsideDocuments() async throws {
    let path = try JSONPath(parsing: "$.data.rows[*]")
    let reading = await Fixture.read("{\"data\":{\"rows\":[{\"a\":1},{\"b\":2}]},\"n\":2}") {
      $0.format = "json"
      $0.records = path
    }
    #expect(try ndjson(reading) == "{\"a\":1}\n{\"b\":2}\n")
    let none = await Fixture.read("{\"data\":[]}") { $0.records = path }
    #expect(none.rows.isEmpty && none.warnings.count == 1)
    let lines = await Fixture.read("{\"data\":{\"rows\":[1]}}\n{\"data\":{\"rows\":[2,3]}}\n") {
      $0.format = "ndjson"
      $0.records = path
    }
    #expect(try ndjson(lines) == "{\"value\":1}\n{\"value\":2}\n{\"value\":3}\n")
  }

  @Test func demandedPathsAreTheOnlyColumns() async throws {
    let demand = ColumnDemand.paths([
      ColumnPath(["city", "name"]), ColumnPath(["dt"]), ColumnPath(["w", "0", "d"]),
    ])
    let text = "{\"dt\":1,\"city\":{\"name\":\"Oslo\",\"x\":2},\"w\":[{\"d\":\"rain\"}],\"y\":0}\n"
    let reading = await Fixture.read(text, demand: demand) { $0.format = "ndjson" }
    #expect(
      try Fixture.write(reading.batches[0].schema, reading.batches, as: "csv")
        == "city.name,dt,w.0.d\nOslo,1,rain\n")
  }

  @Test func duplicateKeysAreToldOnce() async {
    let reading = await Fixture.read("[{\"x\":1,\"x\":2},{\"x\":3,\"x\":4}]")
    #expect(reading.rows.map { $0[0] } == [.number("2"), .number("4")])
    #expect(reading.warnings.count == 1)
  }

  @Test func utf16AndLatin1BecomeUTF8() async {
    let text = "a,b\né🙂,x\n"
    for big in [true, false] {
      let units = Array("\u{FEFF}\(text)".utf16)
      let bytes = units.flatMap {
        big ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
      }
      for size in Fixture.sizes {
        let reading = await Fixture.read(bytes, block: size)
        #expect(reading.schema.names == ["a", "b"])
        #expect(reading.rows == [[.text("é🙂"), .text("x")]], "\(reading.message)")
      }
    }
    let latin = await Fixture.read([0x61, 0x0A, 0xE9, 0x0A]) { $0.encoding = .latin1 }
    #expect(latin.rows == [[.text("é")]])
  }

  @Test(.programs("gzip"), arguments: Fixture.sizes) func gzipIsUndone(_ size: Int) async throws {
    try await isUndone("gzip", size)
  }

  @Test(.programs("zstd"), arguments: Fixture.sizes) func zstdIsUndone(_ size: Int) async throws {
    try await isUndone("zstd", size)
  }

  /// What `program` packed is read, and what is cut off is an error.
  private func isUndone(_ program: String, _ size: Int) async throws {
    let text = "a,b\n" + (0..<500).map { "\($0),row \($0)\n" }.joined()
    let packed = try Program(program).output(["-c"], input: Array(text.utf8))
    let reading = await Fixture.read(packed + packed, name: "x.csv", block: size) {
      $0.dialect.hasHeader = false
    }
    #expect(reading.rows.count == 1002, "\(reading.message)")
    let cut = await Fixture.read(Array(packed.dropLast(9)), name: "x.csv", block: size)
    #expect(cut.message.contains("too early"), "\(cut.message)")
  }

  @Test(.programs("gzip")) func decompressedSizeIsLimited() async throws {
    let packed = try Program("gzip").output(["-c"], input: [UInt8](repeating: 120, count: 100_000))
    let reading = await Fixture.read(packed) { $0.maximumSize = 1000 }
    #expect(reading.message.contains("1000 bytes"))
  }

  @Test func missingFileIsNamed() async {
    await #expect {
      _ = try await InputOpener().open(
        path: "/nowhere/in.csv", InputOptions(), log: .silent)
    } throws: { "\($0)".contains("/nowhere/in.csv") }
  }
}
