import AggregateCore
import AggregateFormats
import AggregateTestSupport
import Testing

/// Every format that can be written obeys the laws of writers.
struct WriterConformanceTests {
  private static let registry = FormatRegistry()
  private static let options = OutputOptions()

  /// The formats that this build can write.
  private static let written: [String] = registry.formats.filter(\.canWrite).map(\.name)
    .filter { (try? registry.writer(named: $0, options)) != nil }

  @Test func allButTheOptionalFormatsAreChecked() {
    let missing = Self.registry.formats.filter(\.canWrite).map(\.name)
      .filter { !Self.written.contains($0) }
    #expect(Set(missing).isSubset(of: ["parquet"]))
  }

  @Test(arguments: written) func sizesAndPlacesOfBatchesDoNotShow(_ format: String) throws {
    let bytes = try checkWriter(format, WriterRows.everyKind, isText: format != "xlsx") {
      try Self.registry.writer(named: format, Self.options)
    }
    #expect(!bytes.isEmpty)
  }

  @Test(arguments: written) func encodersGiveWhatTheWriterGives(_ format: String) throws {
    guard let encoder = try Self.registry.encoder(named: format, Self.options) else { return }
    let encoded = try checkEncoder(format, WriterRows.everyKind, encoder)
    let written = try checkWriter(format, WriterRows.everyKind) {
      try Self.registry.writer(named: format, Self.options)
    }
    #expect(encoded == written)
  }

  @Test func dialectsObeyTheSameLaws() throws {
    var dialects: [CSVDialect] = []
    for index in 0..<6 {
      var dialect = CSVDialect()
      switch index {
      case 0: dialect.nullText = "NULL"
      case 1: dialect.delimiter = UInt8(ascii: ";")
      case 2: dialect.listSeparator = " | "
      case 3: dialect.hasHeader = false
      case 4: dialect.endsLinesWithCRLF = true
      default: dialect.guardsFormulas = true
      }
      dialects.append(dialect)
    }
    for dialect in dialects {
      for format in ["csv", "tsv"] {
        try checkWriter("\(format) \(dialect)", WriterRows.everyKind) {
          try Self.registry.writer(named: format, OutputOptions(dialect: dialect))
        }
      }
    }
  }

  /// What is learned from the first rows must not depend on how many rows a batch has.
  @Test(arguments: ["table", "markdown", "html", "chart"])
  func manyRowsObeyTheSameLaws(_ format: String) throws {
    let rows: [[Value]] = (0..<1500).map { row in
      [.int(Int64(row)), row < 1010 ? 1 : .text("wide text in late rows"), .text("name \(row)")]
    }
    try checkWriter(format, TestRows.batch(["n", "late", "name"], rows)) {
      try Self.registry.writer(named: format, Self.options)
    }
  }

  /// What was written is read as the same rows; CSV and TSV have no types but numbers and text.
  @Test(arguments: ["json", "ndjson", "csv", "tsv"]) func comesBack(_ format: String) async throws {
    let rows = WriterRows.everyKind
    let bytes = try checkWriter(format, rows) {
      try Self.registry.writer(named: format, Self.options)
    }
    for size in [1, 7, 4096] {
      let reading = await Fixture.read(bytes, block: size, batch: size) { $0.format = format }
      #expect(reading.failure == nil, "\(reading.message)")
      #expect(reading.rows.count == rows.rowCount)
      // Written again it is the same, to the byte.
      let again = try Fixture.write(reading.schema, reading.batches, as: format)
      if format == "json" || format == "ndjson" {
        #expect(again == String(decoding: bytes, as: UTF8.self))
      }
      for (row, found) in reading.rows.enumerated() {
        for (index, name) in rows.schema.names.enumerated() {
          let place = try #require(reading.schema.names.firstIndex(of: name))
          let expected = Self.text(rows.row(row)[index], format)
          #expect(Self.text(found[place], format) == expected, "row \(row), \(name)")
        }
      }
    }
  }

  /// A value as what the format keeps of it.
  private static func text(_ value: Value, _ format: String) -> String {
    let isFlat = format == "csv" || format == "tsv"
    switch value {
    case .absent: return isFlat ? "null" : "absent"
    case .null: return "null"
    case .text(let text):
      // TSV has no quotes that tell the empty text from null.
      return format == "tsv" && text.isEmpty ? "null" : text
    default: return value.displayText
    }
  }
}
