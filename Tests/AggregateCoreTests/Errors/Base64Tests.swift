import AggregateCore
import Testing

@Suite struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func examplesOfTheStandard(_ text: String, _ encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test func everyByteReadsBack() {
    for count in 0...10 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 251) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
    #expect(Base64.decode("Zm9v\r\nYg") == Array("foob".utf8))
    #expect(Base64.decode("-_8") == [0xFB, 0xFF])
  }

  @Test(arguments: ["A", "A===", "Zg=a", "Z*8=", "é"])
  func whatIsNoBase64IsNil(_ text: String) { #expect(Base64.decode(text) == nil) }
}
