import AggregateCore
import AggregateFormats
import Testing

/// What survives behind a malformed record depends on the bytes alone.
@Suite struct CSVSkippingTests {
  private static let sizes = [1, 2, 3, 7, 64, 4096]

  private func read(_ text: String, block: Int = 1 << 20, batch: Int = 4096) async -> Reading {
    await Fixture.read(text, block: block, batch: batch) {
      $0.format = "csv"
      $0.skipsMalformed = true
    }
  }

  @Test func textBehindAClosingQuoteEndsWithItsRecord() async {
    let cases: [(String, [[Value]])] = [
      // The rest of the record is unquoted text.
      ("\"x\"y,1\n2,3\n", [[.number("2"), .number("3")]]),
      // A quote inside it opens only at the beginning of a cell, and then hides line ends.
      ("\"x\"y,\"a\nb\"\n2,3\n", [[.number("2"), .number("3")]]),
      ("\"x\"y,\"a\"\"\nb\"\n2,3\n", [[.number("2"), .number("3")]]),
      ("\"x\"y\"z,1\n2,3\n", [[.number("2"), .number("3")]]),
      // One that is never closed takes the rest.
      ("1,2\n\"x\"y,\"a\n2,3\n", [[.number("1"), .number("2")]]),
      ("1,2\n\"x\n2,3\n", [[.number("1"), .number("2")]]),
    ]
    for (rows, expected) in cases {
      for size in Self.sizes {
        let reading = await read("a,b\n" + rows, block: size, batch: size)
        #expect(reading.rows == expected && reading.message == "", "\(rows) in blocks of \(size)")
      }
    }
  }

  @Test func blocksNeverChangeWhatSurvives() async {
    var generator = SplitMix(state: 20)
    let pieces = [
      "\"", "\"\"", ",", "\n", "\r\n", "\r", "a", "1", "é", ",\"", "\"\n", "\",\"", "x\"y",
    ]
    for _ in 0..<400 {
      var text = "a,b\n"
      for _ in 0..<Int.random(in: 0..<60, using: &generator) {
        text += pieces.randomElement(using: &generator) ?? ""
      }
      let whole = await read(text)
      for size in Self.sizes {
        let parts = await read(text, block: size, batch: size)
        #expect(parts.rows == whole.rows, "\(text.debugDescription) in blocks of \(size)")
        #expect(parts.message == whole.message, "\(text.debugDescription) in blocks of \(size)")
      }
    }
  }
}

/// Pseudo-random numbers that are the same in each run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
