import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct ProviderDefaultsTests {
  private func source(_ text: String) throws -> Node {
    let (configuration, diagnostics) = Loading().load(text)
    #expect(diagnostics.all.map(\.rendered) == [])
    return try #require(configuration.sources.first).node
  }

  @Test func whatAProviderTakesMayStandUnderItsName() throws {
    let node = try source(
      """
      version: 1
      defaults:
        timeout: 5s
        fake: {url: "http://h/", query: {per_page: "100"}, timeout: 9s}
      sources:
        a: {provider: fake, query: {state: open}}
      """)
    #expect(node["url"]?.string == "http://h/")
    #expect(node["query"]?["per_page"]?.string == "100")
    #expect(node["query"]?["state"]?.string == "open")
    #expect(node["timeout"]?.string == "9s")
    #expect(node["fake"] == nil)
  }

  @Test func theProviderItselfMayBeADefault() throws {
    let node = try source(
      """
      version: 1
      defaults: {provider: fake, fake: {limit: 3}}
      sources:
        a: {url: "http://h/"}
      """)
    #expect(node["limit"]?.string == "3")
  }

  @Test func anotherKindOfWhatTakesOneStandsInstead() throws {
    let node = try source(
      """
      version: 1
      defaults:
        fake: {auth: {bearer: token-token}}
      sources:
        a: {provider: fake, url: "http://h/", auth: {basic: {user: me, password: secret}}}
      """)
    #expect(node["auth"]?["bearer"] == nil)
    #expect(node["auth"]?["basic"]?["user"]?.string == "me")
  }

  @Test func membersOfTheSameKindAreMerged() throws {
    let node = try source(
      """
      version: 1
      defaults:
        fake: {auth: {basic: {user: all, password: secret}}}
      sources:
        a: {provider: fake, url: "http://h/", auth: {basic: {user: me, password: secret}}}
      """)
    #expect(node["auth"]?["basic"]?["user"]?.string == "me")
  }

  @Test(arguments: [
    ("{fake: {limt: 3}}", "unknown key “limt” in “defaults.fake”"),
    ("{fake: {limit: x}}", "“defaults.fake.limit” takes a whole number from 1 to 100"),
    ("{limit: 3}", "unknown key “limit” in “defaults”"),
    ("{fkae: {}}", "unknown key “fkae” in “defaults”"),
  ])
  func aMistakeInThemIsToldOnce(_ defaults: String, _ wanted: String) {
    let found = Loading().mistakes(
      "version: 1\ndefaults: \(defaults)\nsources:\n  a: {provider: fake, url: \"http://h/\"}\n")
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(wanted) == true, "\(found)")
  }
}
