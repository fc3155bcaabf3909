import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct TokenSignerTests {
  private static let begin = "-----BEGIN " + "RSA PRIVATE KEY-----\n"
  private static let end = "\n-----END " + "RSA PRIVATE KEY-----\n"
  /// Made for these tests, and good for nothing else.
  private static let key =
    begin + """
      MIICXgIBAAKBgQC5caQRQvhtSiVIpgegrsDb04EVcGHLN8nNgJTU8B5/Jfd6neB7
      Q6OL8k4Rgw2Tk83RMEN0z6CoFPfztsILORPrUY9m60sIMVABAM7PPcpEccp+wxc0
      Xw0PzDD3ubgBGZSKo/yvuHpztLjkmTBrJMfAF8C+QUk0SC8JZ0MZGaXphQIDAQAB
      AoGBAIQBA9QRwvsw62dSYF2d58TTQrC7JbHdzXXOUKNfJaZGpWqQFWpJFJMa8T1/
      91sUvE5rN6lf3rGm83V1o50PjUAfjt5zD/YBIHEPMpG0yFxlTf0Aq/Iqu3K9E8Ai
      tkRnVNI6Mmj/v7y6PNgVPeqnVE92tlJ7jj5vvnYSflb5rtthAkEA4hktfofTyU9a
      y6O5TQ+N9deqPzr2AmX9u5jzNRBxVuWYe8BpXvvVe/MOvru+GJKGeR4oOLzrKsXR
      JGo9fEhNDQJBANH4D1MfVb4glfdsopWhSyIIZ9BePT0eJHkCI+0pr/ay3dCQEC/A
      kJzeQNPJ07NgI48/yXra9IvVClBmK70HoFkCQQDWZk2vyJlaMjfFF1Il8vQJBiNY
      pk6WY6TB+f3WeesgHcQExaal/WSpjwiScXGH15pQy/oUI4FVJBR41Y3MhrsZAkA/
      ks75CPzKE02025Sin3KDPG5KXa5HChBa/zXngf7AQEn+8w+jlbdzd6vDNFG/9vTt
      U4/qfc8bY4a67ySBGIUJAkEAkE6fcGHmXuuYlElKaeI2ZK8zGLmZvL1Em5BKEHup
      MUmFhU9ybJKkDV0M0WDiKNymLGTZMwZZRKEOF9IG80y8Hw==
      """ + end

  private func signer(_ algorithm: String, _ key: String) throws -> TokenSigner? {
    let text = EscapedText.quoted(key)
    var diagnostics = Diagnostics()
    let options = Options(
      try node(
        #"{"algorithm":"\#(algorithm)","key":\#(text),"claims":{"iss":"me","n":1},"ttl":"10min"}"#),
      specs: AuthenticationOptions.jwt)
    return TokenSigner(options, &diagnostics)
  }

  private let now = Instant(microseconds: 1_700_000_000_999_999)

  @Test func sharedSecretSignsAsOpenSSLDoes() throws {
    #expect(
      try signer("HS256", "secret-key")?.token(at: now)
        == "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJtZSIsIm4iOjEsImlhdCI6MTcwMDAwMDAwMCwi"
        + "ZXhwIjoxNzAwMDAwNjAwfQ._Y6jPo2MA8EYHCjZW1og9AhpMqSdc5PPZ-8-R4c9yhA")
  }

  @Test func privateKeySignsAsOpenSSLDoes() throws {
    #expect(
      try signer("RS256", Self.key)?.token(at: now)
        == "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJtZSIsIm4iOjEsImlhdCI6MTcwMDAwMDAwMCwi"
        + "ZXhwIjoxNzAwMDAwNjAwfQ.FCEwLQjKl_6esJlqK8aLxCpWFpXYu4_WY3spVl3Wb_yaksR1S77LDFJ8lO5oLH"
        + "ebrf5Y06hzInE2SJ8u2keChJgL4N-1EabuM9-zTPKyh7TxBR8fj0Qdu0YDbDDLdN5TG-Fr-uXgv7uBZYlKPR5"
        + "0SeHCRHdIyJkMobCs-oKU7PU")
  }

  @Test(arguments: ["nonsense", begin + "AAAA" + end])
  func keyThatIsNoneIsAnError(_ key: String) throws {
    let signer = try signer("RS256", key)
    let error = #expect(throws: AggregateError.self) { try signer?.token(at: now) }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("private key") == true)
  }

  @Test func keyWithoutArmourIsFoundBeforeTheRun() throws {
    var diagnostics = Diagnostics()
    _ = try provider(
      #"{"url":"https://a.example/","auth":{"jwt":{"algorithm":"RS256","key":"abc"}}}"#,
      &diagnostics)
    #expect(diagnostics.all.map(\.code) == ["key"])
  }

  @Test(arguments: [
    // RFC 4231, cases 1, 2 and 6.
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func codesAreThoseOfTheStandard(_ key: [UInt8], _ message: String, _ expected: String) {
    let code = MessageAuthentication.sha256(Array(message.utf8), key: key)
    let text = code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == expected)
  }
}
