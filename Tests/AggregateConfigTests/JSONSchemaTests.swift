import AggregateCore
import Foundation
import Testing

@testable import AggregateConfig

@Suite struct JSONSchemaTests {
  let text = JSONSchema.text(
    providers: ProviderRegistry([FakeProvider.self]), stages: StageRegistry([KeepStage.self]))

  func parsed() throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func everyOptionHasAProperty() throws {
    let definitions = try #require(try parsed()["$defs"] as? [String: Any])
    let provider = try #require(definitions["provider_fake"] as? [String: Any])
    let properties = try #require(provider["properties"] as? [String: Any])
    let wanted = Set((CommonOptions.specs + FakeProvider.spec.options).map(\.name))
    #expect(Set(properties.keys) == wanted)
    #expect(provider["additionalProperties"] as? Bool == false)
    #expect((provider["required"] as? [String]).map(Set.init) == ["provider", "url"])
  }

  @Test func everyReferenceLeadsSomewhere() throws {
    let definitions = try #require(try parsed()["$defs"] as? [String: Any])
    var rest = text[...]
    var count = 0
    while let range = rest.range(of: "#/$defs/") {
      let name = rest[range.upperBound...].prefix { $0 != "\"" }
      #expect(definitions[String(name)] != nil, "\(name)")
      rest = rest[range.upperBound...]
      count += 1
    }
    #expect(count > 2)
  }
}
