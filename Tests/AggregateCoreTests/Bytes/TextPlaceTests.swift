import AggregateCore
import Testing

@Suite struct TextPlaceTests {
  /// The place behind `bytes`, found one character at a time.
  private func expected(_ bytes: [UInt8]) -> TextPlace {
    var place = TextPlace(byte: bytes.count)
    for (index, byte) in bytes.enumerated() {
      let next = index + 1 < bytes.count ? bytes[index + 1] : nil
      if byte == 10 || byte == 13 && next != 10 {
        place.line += 1
        place.column = 1
      } else if byte & 0xC0 != 0x80 {
        place.column += 1
      }
    }
    return place
  }

  @Test func everyLineEndCountsOnce() {
    let text = Array("a\nb\r\nc\rd\r\r\n\n\u{E9}é€𝄞x".utf8)
    let place = text.withUnsafeBytes { TextPlace().advanced(over: $0, in: 0..<text.count) }
    #expect(place == TextPlace(line: 7, column: 6, byte: text.count))
    #expect(place == expected(text))
  }

  @Test(arguments: [1, 2, 3, 7, 31, 32, 33, 64, 1024, 4096])
  func piecesGiveTheSameAsTheWhole(_ size: Int) {
    var generator = SystemRandomNumberGenerator()
    let alphabet: [UInt8] = [10, 13, 97, 97, 97, 97, 97, 97, 0xC3, 0xA9]
    for length in [0, 1, 31, 32, 33, 64, 65, 300, 9000] {
      let text = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 97 }
      text.withUnsafeBytes { bytes in
        var place = TextPlace()
        for start in stride(from: 0, to: length, by: size) {
          place.advance(over: bytes, in: start..<min(length, start + size))
        }
        let wanted = expected(text)
        #expect(place == wanted, "\(text)")
      }
    }
  }

  @Test func longLinesAndManyLinesAreCountedInFull() {
    let lines = [UInt8](repeating: 10, count: 100_000)
    let long = [UInt8](repeating: 97, count: 100_000)
    let text = lines + long
    let place = text.withUnsafeBytes { TextPlace().advanced(over: $0, in: 0..<text.count) }
    #expect(place == TextPlace(line: 100_001, column: 100_001, byte: 200_000))
  }
}
