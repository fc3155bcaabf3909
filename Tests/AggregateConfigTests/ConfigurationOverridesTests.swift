import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct ConfigurationOverridesTests {
  func overridden(
    _ values: [(key: String, value: String)], _ text: String = AggregateConfigTests.source()
  ) -> (SourceDeclaration?, [String]) {
    let loading = Loading()
    let (configuration, _) = loading.load(text)
    let (result, diagnostics) = loading.loader.overriding(
      values, sources: ["items"], in: configuration)
    var all = diagnostics
    _ = result.source("items")?.makeProvider(&all)
    return (result.source("items"), all.all.map(\.rendered))
  }

  @Test func optionsAreSetAndOthersAreParameters() {
    let (source, mistakes) = overridden(
      [
        ("limit", "5"), ("retry.attempts", "9"), ("query.q", "x"), ("names", "[a, b]"),
        ("city", "London"), ("max_pages", "2"),
      ], AggregateConfigTests.source("params: { city: Paris }"))
    #expect(mistakes == [])
    #expect(source?.node["limit"]?.string == "5")
    #expect(source?.options.policy.attempts == 9)
    #expect(source?.node["query"]?["q"]?.string == "x")
    #expect(source?.node["names"]?.sequence?.compactMap(\.string) == ["a", "b"])
    #expect(source?.options.params == ["city": "London"])
    #expect(source?.options.maxPages == 2)
  }

  @Test(arguments: [
    ("limt", "limit"), ("retry.atempts", nil), ("citty", "city"), ("maxpages", "max_pages"),
  ])
  func aKeyThatNothingUsesIsAMistake(_ key: String, _ near: String?) {
    let (_, mistakes) = overridden(
      [(key, "1")], AggregateConfigTests.source("params: { city: Paris }"))
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.contains("-p \(key): it is no option of items") == true)
    if let near { #expect(mistakes.first?.contains("did you mean “\(near)”?") == true) }
  }

  @Test func aKeyThatATemplateNamesIsAParameter() {
    let (source, mistakes) = overridden(
      [("town", "Oslo")], AggregateConfigTests.source("description: \"{{x}} at {town}\""))
    #expect(mistakes == [])
    #expect(source?.options.params == ["town": "Oslo"])
  }

  @Test func wrongValuesAreToldAtTheCommandLine() {
    let (_, mistakes) = overridden([("limit", "many")])
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix("<command line>:1:7: error: “items.limit” takes") == true)
    #expect(mistakes.first?.contains("limit=many\n        ^") == true)
  }

  @Test func anOverrideStandsInForAVariableThatIsNotSet() {
    let (_, before) = overridden([], AggregateConfigTests.source("limit: ${NONE}"))
    #expect(before.count == 1)
    let (source, mistakes) = overridden(
      [("limit", "5")], AggregateConfigTests.source("limit: ${NONE}"))
    #expect(mistakes == [])
    #expect(source?.node["limit"]?.string == "5")
  }
}
