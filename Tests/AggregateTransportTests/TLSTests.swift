import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

@Suite(.available(Peer.shared != nil, Peer.isMissing)) struct TLSTests {
  private let peer: Peer

  init() throws { peer = try #require(Peer.shared) }

  private func url(_ server: String, host: String = "127.0.0.1") throws -> String {
    "https://\(host):\(try peer.port(server))/rows"
  }

  @Test func authorityOfTheSourceIsTrusted() async throws {
    let said = try await peer.get(url("good"))
    #expect(said.tls == "TLSv1.3")
    #expect(said.target == "/rows")
  }

  @Test func authorityOfTheSourceReplacesThatOfTheEnvironment() async throws {
    let engine = CurlEngine(userAgent: "a") { $0 == "SSL_CERT_FILE" ? peer.file("ca.pem") : nil }
    let other = TransportFixture(wire: engine) {
      $0.proxy = ""
      $0.tls.authorities = peer.file("other-ca.pem")
    }
    #expect(try await other.failure(url("good"))?.message.contains("is not trusted") == true)
    let same = TransportFixture(wire: engine) { $0.proxy = "" }
    #expect(try await same.get(url("good")).status == 200)
  }

  @Test(
    arguments: [
      (["SSL_CERT_FILE": "ca"], true), (["CURL_CA_BUNDLE": "ca"], true), ([:], false),
      (["CURL_CA_BUNDLE": "ca", "SSL_CERT_FILE": "other-ca"], true),
      (["CURL_CA_BUNDLE": "other-ca", "SSL_CERT_FILE": "ca"], false),
      (["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "ca"], true),
    ] as [([String: String], Bool)])
  func environmentNamesCertificatesToTrust(
    _ variables: [String: String], _ isTrusted: Bool
  ) async throws {
    let engine = CurlEngine(userAgent: "aggregate/test") { name in
      variables[name].map { $0.isEmpty ? "" : peer.file("\($0).pem") }
    }
    let fixture = TransportFixture(wire: engine) { $0.proxy = "" }
    #expect((try await fixture.failure(url("good")) == nil) == isTrusted)
  }

  @Test(arguments: [
    ("self", "is not trusted: it is signed by itself", "tls: { ca: FILE }"),
    ("wrong", "is for another host", "is “127.0.0.1” right?"),
    ("expired", "has expired", "operator"), ("future", "is not valid yet", "clock"),
  ])
  func badCertificateIsRefusedAtOnce(
    _ server: String, _ problem: String, _ hint: String
  ) async throws {
    let fixture = peer.client()
    let address = try url(server)
    let error = try await fixture.failure(address)
    #expect(error?.code == .unavailable)
    #expect(error?.message == "GET \(address): the server's certificate \(problem)")
    #expect(error?.hint?.contains(hint) == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test func unknownIssuerIsNamedAsTheProblem() async throws {
    let fixture = peer.client { $0.tls.authorities = peer.file("other-ca.pem") }
    let error = try await fixture.failure(url("good"))
    #expect(error?.message.hasSuffix("is not trusted: its issuer is not known") == true)
    #expect(error?.hint?.contains("SSL_CERT_FILE") == true)
  }

  @Test func signedByItselfIsTrustedWhenItIsNamed() async throws {
    let said = try await peer.get(url("self")) { $0.tls.authorities = peer.file("self.pem") }
    #expect(said.target == "/rows")
  }

  @Test(
    .available(Peer.shared?.has("old") == true, "this OpenSSL has no TLS 1.1"))
  func oldVersionsAreRefused() async throws {
    let fixture = peer.client()
    let error = try await fixture.failure(url("old"))
    #expect(error?.message.contains("versions of TLS that are no longer safe") == true)
    #expect(error?.hint?.contains("TLS 1.2") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test func plainServerIsToldApart() async throws {
    let fixture = peer.client()
    let error = try await fixture.failure(url("no-tls"))
    #expect(error?.message.contains("does not speak TLS on this port") == true)
    #expect(error?.hint?.contains("http://") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test func serverThatHangsUpIsTriedAgain() async throws {
    let server = try FixtureServer.start { _ in .raw("", closes: true) }
    // It reads until the end of a header, which a greeting of TLS does not have: stopped from here.
    let fixture = peer.client { $0.attempts = 2 }
    let address = "https://127.0.0.1:\(server.port)/"
    async let error = fixture.failure(address)
    while server.connectionCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    server.stop()
    let ended = try await error
    #expect(ended?.message.hasSuffix("(2 tries)") == true)
  }

  @Test func unreadableAuthoritiesSaySo() async throws {
    let fixture = peer.client { $0.tls.authorities = "/none/such.pem" }
    let error = try await fixture.failure(url("good"))
    #expect(error?.message.contains("could not be read (/none/such.pem)") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  // MARK: - The client's own certificate

  @Test(arguments: ["mutual", "mutual12"], [0, 1, 2, 3])
  func clientShowsItsCertificate(_ server: String, _ form: Int) async throws {
    let said = try await peer.get(url(server)) { policy in
      switch form {
      case 0:
        policy.tls.certificate = peer.file("client.pem")
        policy.tls.key = peer.file("client.key")
      case 1: policy.tls.certificate = peer.file("client-both.pem")
      case 2:
        policy.tls.certificate = peer.file("client.pem")
        policy.tls.key = peer.file("client-locked.key")
        policy.tls.passphrase = "c4n4ry-phrase"
      default:
        policy.tls.certificate = peer.file("client.p12")
        policy.tls.passphrase = "c4n4ry-phrase"
      }
    }
    #expect(said.client == "client")
  }

  @Test(arguments: ["mutual", "mutual12"])
  func missingCertificateOfTheClientSaysSo(_ server: String) async throws {
    let fixture = peer.client()
    let error = try await fixture.failure(url(server))
    #expect(error?.message.contains("wants a client's certificate") == true)
    #expect(error?.hint?.contains("tls: { certificate: FILE, key: FILE }") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test(arguments: ["mutual", "mutual12"])
  func foreignCertificateOfTheClientIsRefused(_ server: String) async throws {
    let fixture = peer.client {
      $0.tls.certificate = peer.file("stranger.pem")
      $0.tls.key = peer.file("stranger.key")
    }
    let error = try await fixture.failure(url(server))
    #expect(error?.message.contains("refuses the client's certificate") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test(
    arguments: [
      ("client.pem", "stranger.key", nil), ("client.pem", "client-locked.key", nil),
      ("client.pem", "client-locked.key", "wrong phrase"), ("none.pem", "client.key", nil),
      ("client.p12", "", "wrong phrase"),
    ] as [(String, String, String?)])
  func unusableCertificateSaysSo(
    _ certificate: String, _ key: String, _ passphrase: String?
  ) async throws {
    let fixture = peer.client {
      $0.tls.certificate = peer.file(certificate)
      $0.tls.key = key.isEmpty ? nil : peer.file(key)
      $0.tls.passphrase = passphrase
    }
    let error = try await fixture.failure(url("mutual"))
    #expect(
      error?.message.contains("the client's certificate or its key could not be used") == true)
    #expect(error?.message.contains(certificate) == true)
    #expect(error?.hint?.contains("passphrase") == true)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test func clientsOfOneEngineDoNotShareWhoTheyAre() async throws {
    let wire = CurlEngine(userAgent: "aggregate/test", environment: { _ in nil })
    func fixture(_ certificate: String?) -> TransportFixture {
      TransportFixture(wire: wire) {
        $0.proxy = ""
        $0.tls.authorities = peer.file("ca.pem")
        $0.tls.certificate = certificate
      }
    }
    let known = fixture(peer.file("client-both.pem"))
    #expect(try await Peer.Said(known.get(url("mutual"))).client == "client")
    // The open connection is that of another client.
    #expect(try await fixture(nil).failure(url("mutual")) != nil)
    #expect(try await Peer.Said(known.get(url("mutual"))).client == "client")
  }

  // MARK: - Redirects

  @Test func credentialsDoNotLeaveTLS() async throws {
    let plain = try FixtureServer.start { _ in .json("[1]") }
    let target = "https://127.0.0.1:\(try peer.port("good"))/to?\(plain.baseURL)/rows"
    let request = HTTPRequest(
      "GET", try parsed(target), headers: [HTTPField("Cookie", "c4n4ry=1")],
      credentials: [.header(name: "Authorization", value: "Bearer c4n4ry")])
    #expect(try await peer.client().transport.send(request).body.text == "[1]")
    #expect(plain.requests.count == 1)
    #expect(!"\(plain.requests)".contains("c4n4ry"))
  }

  @Test(arguments: [301, 307])
  func certificateOfTheClientStaysWithItsOrigin(_ status: Int) async throws {
    let other = try url("mutual", host: "localhost")
    let server = try FixtureServer.start { _ in .redirect(other, status: status) }
    let fixture = peer.client { $0.tls.certificate = peer.file("client-both.pem") }
    #expect(try await fixture.get(other).status == 200)
    let error = try await fixture.failure(server.baseURL)
    #expect(error?.message.contains("wants a client's certificate") == true)
    // Nor to another host that a page leads to.
    var request = HTTPRequest("GET", try parsed(other))
    request.showsCertificate = false
    #expect(await fixture.failure(request) != nil)
  }

  // MARK: - The program

  @Test func programTrustsWhatTheVariableNames() async throws {
    let lines = "url: \(try url("good"))\ncolumns: { tls: $.tls }"
    let good = try await peer.run(lines, environment: ["SSL_CERT_FILE": peer.file("ca.pem")])
    #expect(good.exit == 0)
    #expect(good.stdout == "tls\nTLSv1.3\n")
    let bad = try await peer.run(lines, environment: [:])
    #expect(bad.exit == 1)
    #expect(bad.stdout == "")
    #expect(bad.stderr.contains("its issuer is not known"))
    #expect(bad.stderr.contains("tls: { ca: FILE }"))
  }

  @Test func programShowsTheCertificateOfTheSource() async throws {
    let lines = """
      url: \(try url("mutual"))
      columns: { client: $.client }
      tls: { ca: \(peer.file("ca.pem")), certificate: \(peer.file("client.pem")), \
      key: \(peer.file("client-locked.key")), passphrase: PHRASE }
      """
    let good = try await peer.run(
      lines.replacing("PHRASE", with: "c4n4ry-phrase"), environment: [:])
    #expect(good.stdout == "client\nclient\n")
    let bad = try await peer.run(
      lines.replacing("PHRASE", with: "c4n4ry-wrong"), environment: [:])
    #expect(bad.exit == 1)
    #expect(bad.stderr.contains("client-locked.key"))
    #expect(!bad.stderr.contains("c4n4ry"))
  }

  @Test func whatOneClientWasToldIsNotKeptForAnother() async throws {
    func lines(_ certificate: String) throws -> String {
      """
      url: \(try url("mutual"))?keep
      columns: { client: $.client, connection: $.connection }
      tls: { ca: \(peer.file("ca.pem")), certificate: \(peer.file(certificate)) }
      """
    }
    let first = try lines("client-both.pem")
    let outcome = try await peer.run(
      first, then: [try lines("second-both.pem"), first], environment: [:])
    let rows = outcome.stdout.split(separator: "\n").filter { $0 != "client,connection" }
    #expect(rows.map { $0.prefix { $0 != "," } } == ["client", "second", "client"])
    // The third is the first, kept.
    #expect(rows.last == rows.first)
  }

  @Test func recordedFailureIsReplayedAsItWas() async throws {
    let lines = "url: \(try url("expired"))\ntls: { ca: \(peer.file("ca.pem")) }"
    let outcome = try await peer.run(
      lines, command: "aggregate src --record a.har; aggregate src --replay a.har", environment: [:]
    )
    let said = outcome.stderr.split(separator: "\n").filter { $0.contains("expired") }
    #expect(said.count == 2)
    #expect(said.first == said.last)
    #expect(outcome.exit == 1)
  }
}
