import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct ComputedParamsTests {
  private func params(_ text: String) -> ([String: String], [String]) {
    let (configuration, diagnostics) = Loading(["SET": "x y"]).load(source("params: \(text)"))
    return (
      configuration.sources.first?.options.params ?? [:], diagnostics.all.map(\.message)
    )
  }

  @Test func anExpressionKnowsTheValuesAboveIt() {
    let (values, mistakes) = params(
      #"{ts: "7", key: "${SET}", sum: {expr: "md5(ts || key)"}, twice: {expr: sum || sum}}"#)
    #expect(mistakes == [])
    #expect(values["sum"] == "e67d39be4651b3ae385ae131915268b1")
    #expect(values["twice"] == (values["sum"] ?? "") + (values["sum"] ?? ""))
  }

  @Test func timesAreWrittenAsAsked() {
    let (values, mistakes) = params(
      #"{day: {expr: "strftime(date '2024-03-01' - interval 1 day, '%Y/%m/%d')"}, n: {expr: 1 + 2}}"#
    )
    #expect(mistakes == [])
    #expect(values == ["day": "2024/02/29", "n": "3"])
  }

  @Test(arguments: [
    ("{a: {expr: later}, later: x}", "later"), ("{a: {expr: \"1 +\"}}", "items.params.a.expr"),
    ("{a: {expr: \"nullif(1, 1)\"}}", "is null"), ("{a: {exp: 1}}", "unknown key “exp”"),
    ("{a: [1]}", "items.params.a"),
  ])
  func mistakesAreToldWithoutARun(_ text: String, _ wanted: String) {
    let (_, mistakes) = params(text)
    #expect(mistakes.contains { $0.contains(wanted) }, "\(mistakes)")
  }

  @Test func aVariableThatIsNotSetIsNoMistakeOfTheExpression() {
    let (_, mistakes) = params(#"{a: "${NONE}", b: {expr: "nullif(a, '')"}}"#)
    #expect(mistakes == [])
  }

  @Test func anOverrideStandsInsteadOfAnExpression() throws {
    let loading = Loading()
    let text = source("params: {x: {expr: 1 + 1}}").replacing("http://h/", with: "\"http://h/{x}\"")
    let (configuration, _) = loading.load(text)
    let (changed, diagnostics) = loading.loader.overriding(
      [(key: "x", value: "9")], sources: ["items"], in: configuration)
    #expect(diagnostics.all.map(\.message) == [])
    #expect(configuration.sources.first?.options.params == ["x": "2"])
    #expect(changed.sources.first?.options.params == ["x": "9"])
  }
}
