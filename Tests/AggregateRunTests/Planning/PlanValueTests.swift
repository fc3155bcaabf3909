import AggregateCore
import AggregateJSON
import Testing

@testable import AggregateRun

@Suite struct PlanValueTests {
  private let value = PlanValue.object([
    ("list", .list([.object([("text", .text("a \"b\"\n")), ("none", .null)])])),
    ("count", .int(1234)), ("wait", PlanValue(Duration.milliseconds(1500))),
    ("whole", PlanValue(Duration.seconds(60))), ("empty", .list([])), ("yes", .bool(true)),
  ])

  @Test func isJSON() throws {
    let root = try JSONDocument(value.json(Redactor())).root
    #expect((root["list"]?.elements).map(Array.init)?.first?["text"]?.string == "a \"b\"\n")
    #expect((root["list"]?.elements).map(Array.init)?.first?["none"]?.isNull == true)
    #expect(root["wait"]?.rawText == "1.5")
    #expect(root["whole"]?.rawText == "60")
    #expect((root["empty"]?.elements).map(Array.init)?.isEmpty == true)
    #expect(root["yes"]?.bool == true)
  }

  @Test func aSecretGoesOutOfTextsAndTheJSONStaysWhole() throws {
    let redactor = Redactor()
    for secret in ["a \"b\"\n", "1234", "count", "\":[{\""] { redactor.register(secret) }
    let root = try JSONDocument(value.json(redactor)).root
    #expect((root["list"]?.elements).map(Array.init)?.first?["text"]?.string == Redactor.mask)
    #expect(root["count"]?.rawText == "1234")
  }
}
