import AggregateCore
import AggregateFormats
import Testing

@Suite struct GzipEncoderTests {
  @Test(arguments: [0, 1, 7, 4096, 300_000])
  func whatIsWrittenIsReadBack(_ count: Int) async throws {
    let text = "n\n" + (0..<count).map { "\($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()
    for step in [1000, 70_000, 1 << 22] {
      let encoder = try GzipEncoder()
      var out = ByteBuilder()
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: step) {
        try bytes[start..<min(bytes.count, start + step)].withUnsafeBytes {
          try encoder.encode($0, into: &out)
        }
      }
      try encoder.finish(into: &out)
      let packed = out.copy()
      #expect(packed.starts(with: [0x1F, 0x8B]) && (count < 4096 || packed.count < bytes.count))
      let reading = await Fixture.read(packed, name: "x.csv.gz")
      #expect(reading.message == "" && reading.rows.count == count)
      #expect(try Fixture.write(reading.schema, reading.batches, as: "csv") == text)
    }
  }

  @Test func nothingIsAValidStream() async throws {
    var out = ByteBuilder()
    try GzipEncoder().finish(into: &out)
    let reading = await Fixture.read(out.copy(), name: "x.csv.gz")
    #expect(reading.message == "" && reading.rows.isEmpty)
  }
}
