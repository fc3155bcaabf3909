import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct SourceOptionsTests {
  private func policy(_ lines: String...) throws -> RequestPolicy {
    let (configuration, diagnostics) = Loading().load(source(lines.joined(separator: "\n    ")))
    try diagnostics.throwIfErrors()
    return try #require(configuration.source("items")).options.policy
  }

  @Test func connectionIsTheSystemsWithoutAWord() throws {
    #expect(try policy("description: x") == RequestPolicy())
  }

  @Test func filesOfTLSAreTaken() throws {
    let tls = try policy("tls: { ca: a.pem, certificate: b.pem, key: c.pem, passphrase: d }").tls
    #expect(tls.authorities == "a.pem")
    #expect(tls.certificate == "b.pem")
    #expect(tls.key == "c.pem")
    #expect(tls.passphrase == "d")
  }

  @Test(arguments: ["key: c.pem", "passphrase: abcd"])
  func keyWithoutACertificateIsAMistake(_ entry: String) {
    let found = Loading().mistakes(source("tls: { ca: a.pem, \(entry) }"))
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("sources.yaml:6:") == true)
    #expect(found.first?.contains("belongs to a “certificate”") == true)
  }

  @Test(arguments: [
    "http://proxy.test:3128", "https://proxy.test", "socks5://10.0.0.1:1080", "socks5h://h:1",
    "SOCKS4a://h:1", "\"http://ann:p%40ss@proxy.test:3128\"", "http://[::1]:3128",
  ])
  func proxyIsAnAddress(_ text: String) throws {
    #expect(try policy("proxy: \(text)").proxy == text.filter { $0 != "\"" })
  }

  @Test func noneIsNoProxy() throws { #expect(try policy("proxy: none").proxy == "") }

  @Test(arguments: [
    "proxy.test:3128", "ftp://proxy.test", "http://", "http://:3128", "yes",
    "\"ann:c4n4ry@proxy.test\"", "\"gopher://ann:c4n4ry@proxy.test\"",
  ])
  func otherTextIsNoProxy(_ text: String) {
    let (_, diagnostics) = Loading().load(source("proxy: \(text)"))
    #expect(diagnostics.all.count == 1)
    #expect(diagnostics.all.first?.message.contains("not the address of a proxy") == true)
    #expect(diagnostics.all.first?.message.contains("c4n4ry") == false)
    #expect(diagnostics.all.first?.hint?.contains("http://proxy.example.com:3128") == true)
  }

  @Test func passphraseAndPasswordOfAProxyAreSecret() {
    let loading = Loading()
    _ = loading.load(
      source(
        "tls: { certificate: b.pem, passphrase: c4n4ry-phrase }",
        "proxy: \"http://ann:c4n4ry-word@proxy.test\""))
    for text in ["c4n4ry-phrase", "http://ann:c4n4ry-word@proxy.test", "c4n4ry-word"] {
      #expect(!loading.redactor.redact(text).contains("c4n4ry"))
    }
  }
}
