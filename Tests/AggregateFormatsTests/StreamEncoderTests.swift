import AggregateCore
import AggregateFormats
import Testing

@Suite struct StreamEncoderTests {
  private static func encoder(_ ending: String) throws -> any StreamEncoder {
    ending == "gz" ? try GzipEncoder() : try ZstandardEncoder(path: "x.csv.zst")
  }

  @Test(arguments: [0, 1, 7, 4096, 300_000], ["gz", "zst"])
  func whatIsWrittenIsReadBack(_ count: Int, _ ending: String) async throws {
    let text = "n\n" + (0..<count).map { "\($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()
    for step in [1000, 70_000, 1 << 22] {
      let encoder = try Self.encoder(ending)
      var out = ByteBuilder()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: step) {
        try bytes[start..<min(bytes.count, start + step)].withUnsafeBytes {
          try encoder.encode($0, into: &out)
        }
      }
      try encoder.finish(into: &out)
      let packed = out.copy()
      #expect(
        packed.starts(with: ending == "gz" ? [0x1F, 0x8B] : [0x28, 0xB5])
          && (count < 4096 || packed.count < bytes.count))
      let reading = await Fixture.read(packed, name: "x.csv.\(ending)")
      #expect(reading.message == "" && reading.rows.count == count)
      #expect(try Fixture.write(reading.schema, reading.batches, as: "csv") == text)
    }
  }

  @Test(arguments: ["gz", "zst"]) func nothingIsAValidStream(_ ending: String) async throws {
    var out = ByteBuilder()
    try Self.encoder(ending).finish(into: &out)
    let reading = await Fixture.read(out.copy(), name: "x.csv.\(ending)")
    #expect(reading.message == "" && reading.rows.isEmpty)
  }

  @Test(arguments: ["gz", "zst"]) func rowsBeforeACutAreGood(_ ending: String) async throws {
    let text = "n\n" + (0..<50_000).map { "\($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()
    let encoder = try Self.encoder(ending)
    var out = ByteBuilder()
    try Array(text.utf8).withUnsafeBytes { try encoder.encode($0, into: &out) }
    try encoder.finish(into: &out)
    let packed = Array(out.copy().dropLast(20))
    let reading = await Fixture.read(packed, name: "x.csv.\(ending)")
    #expect(reading.message.contains("end too early"))
    #expect(reading.rows.count > 25_000)
  }
}
