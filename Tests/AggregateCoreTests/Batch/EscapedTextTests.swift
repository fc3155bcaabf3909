import AggregateCore
import Testing

@Suite struct EscapedTextTests {
  private func decoded(_ text: String) -> String {
    let buffer = ByteBuffer(text)
    return EscapedText.decoded(buffer, 0..<buffer.count)
  }

  @Test(arguments: [
    ("", ""), ("plain é", "plain é"), (#"\n\t\r\b\f"#, "\n\t\r\u{8}\u{C}"), (#"\"\\\/"#, "\"\\/"),
    (#"\u0041\u00e9\u20AC"#, "Aé€"), (#"\ud83d\ude00"#, "😀"), (#"\uD83D\uDE00!"#, "😀!"),
    (#"\u0000"#, "\0"),
  ])
  func escapesMeanTheirCharacters(_ text: String, _ meaning: String) {
    #expect(decoded(text) == meaning)
  }

  @Test(arguments: [
    (#"\ud83d"#, "\u{FFFD}"), (#"\ude00x"#, "\u{FFFD}x"), (#"\ud83d\u0041"#, "\u{FFFD}A"),
    (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
  ])
  func loneSurrogatesAreReplaced(_ text: String, _ meaning: String) {
    #expect(decoded(text) == meaning)
  }

  @Test(arguments: [#"\"#, #"\q"#, #"\u12"#, #"\uZZZZ"#, #"a\"#])
  func malformedEscapesStay(_ text: String) { #expect(decoded(text) == text) }

  @Test func whatIsEncodedReadsBack() {
    var samples = ["", "plain", "\"\\/", "😀é€\u{2028}", String(repeating: "a\n", count: 3000)]
    samples += (0..<0x30).compactMap { Unicode.Scalar($0).map { "x\($0)y" } }
    for text in samples {
      let quoted = EscapedText.quoted(text)
      #expect(quoted.hasPrefix("\"") && quoted.hasSuffix("\""))
      #expect(!quoted.utf8.contains { $0 < 0x20 })
      #expect(decoded(String(quoted.dropFirst().dropLast())) == text)
    }
    #expect(EscapedText.quoted("a\"b\\c\n\u{1}") == #""a\"b\\c\n\u0001""#)
  }
}
