import AggregateCore
import AggregateTestSupport
import Foundation
import Testing

@testable import AggregateTransport

/// The proxies find hosts below `.test`, and nobody else does: what is had from there came through them.
@Suite(.available(Peer.shared != nil, Peer.isMissing)) struct ProxyTests {
  private static let password = "c4n4ry%20p%40ss"
  private let peer: Peer

  init() throws { peer = try #require(Peer.shared) }

  private func proxy(_ name: String, scheme: String = "http", user: String = "") throws -> String {
    "\(scheme)://\(user)127.0.0.1:\(try peer.port(name))"
  }

  private func plain() throws -> String { "http://some.peer.test:\(try peer.port("http"))/rows" }

  private func secure() throws -> String { "https://good.peer.test:\(try peer.port("good"))/rows" }

  @Test func plainRequestGoesThroughTheProxy() async throws {
    let said = try await peer.get(plain()) { $0.proxy = try? proxy("proxy") }
    #expect(said.proxied == true)
    #expect(said.target == "/rows")
  }

  @Test(arguments: [("proxy", "http"), ("socks", "socks5h")])
  func secureRequestGoesThroughATunnel(_ name: String, _ scheme: String) async throws {
    let request = HTTPRequest(
      "GET", try parsed(secure()), credentials: [.header(name: "Authorization", value: "Bearer t")])
    let fixture = peer.client { $0.proxy = try? proxy(name, scheme: scheme) }
    let said = try Peer.Said(await fixture.transport.send(request))
    #expect(said.proxied == false)
    #expect(said.tls == "TLSv1.3")
    #expect(said.authorization == "Bearer t")
  }

  @Test(arguments: [("proxy-auth", "http"), ("socks-auth", "socks5h")], [true, false])
  func userAndPasswordAreShownToTheProxyOnly(
    _ server: (name: String, scheme: String), _ isSecure: Bool
  ) async throws {
    let fixture = peer.client {
      $0.proxy = try? proxy(server.name, scheme: server.scheme, user: "ann:\(Self.password)@")
    }
    let answer = try await fixture.get(isSecure ? secure() : plain())
    #expect(answer.body.text.contains(#""proxy_authorization": null"#))
    #expect(!fixture.said.lines.joined().contains("c4n4ry"))
  }

  @Test(arguments: ["", "ann:c4n4ry-wrong@"], [true, false])
  func proxyThatWantsAPasswordSaysWhatToDo(_ user: String, _ isSecure: Bool) async throws {
    let fixture = peer.client { $0.proxy = try? proxy("proxy-auth", user: user) }
    let error = try await fixture.failure(isSecure ? secure() : plain())
    #expect(error?.message.contains("answered 407") == true)
    #expect(error?.hint?.contains("http://USER:PASSWORD@HOST:PORT") == true)
    #expect(error?.description.contains("c4n4ry") == false)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test(arguments: ["", "ann:c4n4ry-wrong@"])
  func socksProxyThatWantsAPasswordSaysSo(_ user: String) async throws {
    let fixture = peer.client {
      $0.proxy = try? proxy("socks-auth", scheme: "socks5h", user: user)
    }
    let error = try await fixture.failure(plain())
    #expect(error?.message.contains("the proxy refuses the user or the password") == true)
    #expect(error?.description.contains("c4n4ry") == false)
    #expect(fixture.transport.metrics.figures.requests == 1)
  }

  @Test(arguments: [("proxy-closed", 403, 1), ("proxy-busy", 503, 2)])
  func refusedTunnelSaysSo(_ name: String, _ status: Int, _ requests: Int) async throws {
    let fixture = peer.client {
      $0.proxy = try? proxy(name)
      $0.attempts = 2
    }
    let error = try await fixture.failure(secure())
    #expect(error?.message.contains("the proxy answered \(status)") == true)
    #expect(fixture.transport.metrics.figures.requests == requests)
  }

  @Test(arguments: ["http", "socks5h"], [true, false])
  func missingProxyIsNamed(_ scheme: String, _ isSecure: Bool) async throws {
    let fixture = peer.client {
      $0.proxy = "\(scheme)://127.0.0.1:9"
      $0.attempts = 1
    }
    let error = try await fixture.failure(isSecure ? secure() : plain())
    #expect(error?.message.contains("connection refused by the proxy 127.0.0.1:9") == true)
  }

  @Test func unknownProxySaysSo() async throws {
    let fixture = peer.client {
      $0.proxy = "http://proxy.invalid:3128"
      $0.attempts = 1
    }
    let error = try await fixture.failure(plain())
    #expect(error?.message.contains("the proxy's name was not found") == true)
  }

  @Test func proxyMaySpeakTLS() async throws {
    let wire = CurlEngine(userAgent: "a") { $0 == "SSL_CERT_FILE" ? peer.file("ca.pem") : nil }
    let fixture = TransportFixture(wire: wire) {
      $0.proxy = try? proxy("proxy-tls", scheme: "https")
    }
    #expect(try await Peer.Said(fixture.get(plain())).proxied == true)
  }

  // MARK: - The program: what its environment and its sources say

  /// `direct` is a host that needs no proxy; `hidden` one that is found by the proxy only.
  private static let direct = "http://127.0.0.1"
  private static let hidden = "http://some.peer.test"

  @Test(
    arguments: [
      (["http_proxy": "@P"], hidden, true), (["all_proxy": "@P"], hidden, true),
      (["ALL_PROXY": "@S"], hidden, true), (["http_proxy": "@S"], hidden, true),
      // A server can set HTTP_PROXY in the environment of a CGI program, so it does not count.
      (["HTTP_PROXY": "@P"], hidden, false), ([:], hidden, false),
      (["http_proxy": "@P", "no_proxy": "peer.test"], hidden, false),
      (["http_proxy": "@P", "no_proxy": ".peer.test"], hidden, false),
      (["http_proxy": "@P", "no_proxy": "a.example,some.peer.test"], hidden, false),
      (["http_proxy": "@P", "no_proxy": "eer.test,other.peer.test"], hidden, true),
      (["http_proxy": "@P", "no_proxy": "*"], hidden, false),
      (["http_proxy": "@D"], direct, false), (["http_proxy": "@D", "no_proxy": "*"], direct, true),
      (["http_proxy": "@D", "no_proxy": "127.0.0.1"], direct, true),
      (["http_proxy": "@D", "no_proxy": "10.0.0.0/8,127.0.0.0/8"], direct, true),
      (["http_proxy": "@D", "no_proxy": "127.0.1.0/24"], direct, false),
      (["http_proxy": "@D", "no_proxy": "127.0.0.1:@N"], direct, true),
      (["http_proxy": "@D", "no_proxy": "127.0.0.1:1"], direct, false),
      (["https_proxy": "@D"], direct, true),
    ] as [([String: String], String, Bool)])
  func environmentSaysWhichProxy(
    _ variables: [String: String], _ host: String, _ isReached: Bool
  ) async throws {
    var environment = ["http_proxy": "", "https_proxy": "", "no_proxy": ""]
    for (name, value) in variables {
      environment[name] =
        value
        .replacing("@P", with: try proxy("proxy"))
        .replacing("@S", with: try proxy("socks", scheme: "socks5h"))
        .replacing("@N", with: "\(try peer.port("http"))")
        .replacing("@D", with: "http://127.0.0.1:9")
    }
    let lines = """
      url: \(host):\(try peer.port("http"))/rows
      retry: { attempts: 1 }
      columns: { target: $.target }
      """
    let outcome = try await peer.run(lines, environment: environment)
    #expect(outcome.exit == (isReached ? 0 : 1), "\(outcome.stderr)")
  }

  @Test func secureRequestsHaveTheirOwnVariable() async throws {
    let lines = """
      url: \(try secure())
      retry: { attempts: 1 }
      tls: { ca: \(peer.file("ca.pem")) }
      columns: { tls: $.tls }
      """
    let outcome = try await peer.run(
      lines, environment: ["https_proxy": try proxy("proxy"), "http_proxy": "http://127.0.0.1:9"])
    #expect(outcome.stdout == "tls\nTLSv1.3\n")
  }

  @Test func proxyOfTheSourceStandsInPlaceOfTheEnvironment() async throws {
    let lines = "url: \(try plain())\nretry: { attempts: 1 }\ncolumns: { proxied: $.proxied }"
    let own = try await peer.run(
      "\(lines)\nproxy: \(try proxy("proxy"))",
      environment: ["http_proxy": "http://127.0.0.1:9", "no_proxy": "*"])
    #expect(own.stdout == "proxied\ntrue\n")
    let none = try await peer.run(
      "url: http://127.0.0.1:\(try peer.port("http"))/\nproxy: none\ncolumns: { proxied: $.proxied }",
      environment: ["http_proxy": "http://127.0.0.1:9", "no_proxy": ""])
    #expect(none.stdout == "proxied\nfalse\n")
  }

  @Test func passwordOfAProxyIsNotShown() async throws {
    let address = try proxy("proxy-auth", user: "ann:c4n4ry-wrong@")
    let lines = "url: \(try plain())\ncolumns: { proxied: $.proxied }"
    for (source, variable) in [(address, ""), (nil, address)] {
      let outcome = try await peer.run(
        source.map { "\(lines)\nproxy: \"\($0)\"" } ?? lines,
        environment: ["http_proxy": variable, "no_proxy": ""])
      #expect(outcome.exit == 1)
      #expect(outcome.stderr.contains("407"))
      #expect(!(outcome.stdout + outcome.stderr).contains("c4n4ry"))
    }
  }
}
