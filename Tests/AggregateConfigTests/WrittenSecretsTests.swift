import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct WrittenSecretsTests {
  @Test(arguments: [
    ("Authorization", "Bearer c4n4ry-1"), ("COOKIE", "session=c4n4ry-1; theme=dark"),
    ("X-Api-Key", "c4n4ry-1"), ("Proxy-Authorization", "Basic c4n4ry-1"),
  ])
  func fieldsThatCarryCredentialsAreSecret(_ name: String, _ value: String) {
    let redactor = Redactor()
    WrittenSecrets.register(Self.source("headers", Self.mapping(name, value)), with: redactor)
    #expect(!redactor.redact("\(name): \(value)").contains("c4n4ry"))
    #expect(!redactor.redact("only c4n4ry-1").contains("c4n4ry"))
  }

  @Test func otherFieldsAreNot() {
    let redactor = Redactor()
    WrittenSecrets.register(
      Self.source("headers", Self.mapping("Accept-Language", "english")), with: redactor)
    #expect(redactor.redact("english") == "english")
  }

  @Test func userInformationOfAddressesIsSecret() {
    let redactor = Redactor()
    let url = "http://ann:c4n4ry-1@api.test/x"
    WrittenSecrets.register(Self.source("url", Self.text(url)), with: redactor)
    #expect(redactor.redact(url) == "http://***@api.test/x")
    #expect(!redactor.redact("only c4n4ry-1").contains("c4n4ry"))
  }

  static let place = SourceLocation(file: "x.yaml", line: 1, column: 1)
  static func text(_ text: String) -> Node { .text(text, at: place) }
  static func mapping(_ key: String, _ value: String) -> Node { source(key, text(value)) }
  static func source(_ key: String, _ value: Node) -> Node {
    Node(.mapping([Node.Entry(key: key, location: place, value: value)]), at: place)
  }
}
