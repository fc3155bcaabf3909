import AggregateCore
import Testing

/// Those of RFC 1321, and lengths around the one at which another block begins.
@Suite struct MD5Tests {
  private func hexadecimal(_ text: String) -> String {
    var text = text
    return text.withUTF8 { Hexadecimal.text(MD5.digest(UnsafeRawBufferPointer($0))) }
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "57edf4a22be3c955ac49da2e2107b67a"
    ),
  ])
  func examplesOfTheStandard(_ text: String, _ wanted: String) {
    #expect(hexadecimal(text) == wanted)
  }

  @Test(arguments: [
    (55, "ef1772b6dff9a122358552954ad0df65"),
    (56, "3b0c8ac703f828b04c6c197006d17218"),
    (64, "014842d480b571495a4a0363793f7367"),
    (1000, "cabe45dcc9ae5b66ba86600cca6b8ba8"),
  ])
  func lengths(_ count: Int, _ wanted: String) {
    #expect(hexadecimal(String(repeating: "a", count: count)) == wanted)
  }
}
