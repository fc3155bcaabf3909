import AggregateCore
import AggregateNews
import AggregateTestSupport
import Testing

struct NewsConformanceTests {
  static let modes = [
    "api_key: k3y\ncountry: us", "api_key: k3y\nendpoint: everything\nquery: x\npage_size: 1",
    "api_key: k3y\nendpoint: sources", "feeds: [https://a.example/rss, https://a.example/atom]",
    "service: [newsapi, feeds]\napi_key: k3y\ncountry: us\nfeeds: https://a.example/rss",
    "feeds: https://a.example/rss\nmore_columns: [guid, categories, language, country]",
  ]

  @Test(arguments: modes)
  func obeysTheLawsOfProviders(_ yaml: String) async throws {
    try await checkProvider(
      NewsProvider.self, yaml, answers: RecordedClient.Answer.samples(of: NewsProvider.spec),
      empty: [
        .to("/sources", giving: #"{"status":"ok","sources":[]}"#),
        .to("/v2/", giving: #"{"status":"ok","totalResults":0,"articles":[]}"#),
        .to("/", giving: #"<rss version="2.0"><channel><title>t</title></channel></rss>"#),
      ])
  }

  @Test func samplesAnswerEveryMode() async throws {
    try await checkSamples(NewsProvider.self, Self.modes)
  }

  @Test func publicationsHaveTheirIdentifierAsPublisher() async throws {
    let body = #"""
      {"status":"ok","sources":[
        {"id":"orbit","name":"Orbit","description":"Space.","url":"https://orbit.example",
         "category":"science","language":"en","country":"us"},
        {"name":"Bare","url":"https://bare.example"}]}
      """#
    let rows = try await ProviderHarness.rows(
      ProviderHarness.make(NewsProvider.self, "api_key: k3y\nendpoint: sources"),
      RecordedClient([.to("/sources", giving: body)]))
    #expect(
      rows == [
        "“Orbit” | “Space.” | null | “orbit” | “https://orbit.example” | null | null"
          + " | “science, en, us” | “newsapi” | [\"orbit\"]",
        "“Bare” | null | null | “Bare” | “https://bare.example” | null | null | null | “newsapi”"
          + " | [\"Bare\"]",
      ])
  }
}
