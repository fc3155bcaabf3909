import AggregateConfig
import AggregateCore
import AggregateProviders
import AggregateRun
import AggregateStages
import Synchronization
import Testing

@testable import AggregateInference

@Suite struct URLInferenceTests {
  /// Answers requests from a closure and counts them.
  private final class FakeAPI: HTTPClient {
    let answer: @Sendable (WebURL) -> (type: String, body: String)?
    let link: String?
    let requests = Mutex<[HTTPRequest]>([])

    init(
      link: String? = nil, _ answer: @escaping @Sendable (WebURL) -> (type: String, body: String)?
    ) {
      self.answer = answer
      self.link = link
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      requests.withLock { $0.append(request) }
      guard let (type, body) = answer(request.url) else {
        throw AggregateError(.rejected, "404", status: 404)
      }
      var headers = [HTTPField("Content-Type", type)]
      if let link { headers.append(HTTPField("Link", link)) }
      return HTTPResponse(
        status: 200, headers: headers, body: ByteBuffer(body), url: request.url,
        fetchedAt: Instant(microseconds: 0))
    }
  }

  /// The declaration, which must be one that the program reads.
  private func infer(
    _ address: String, _ api: FakeAPI, secret: URLInference.Secret? = nil
  ) async throws -> String {
    let text = try await URLInference(
      url: try #require(WebURL(address)), name: "items", headers: [], secret: secret, client: api,
      log: .silent
    ).declaration()
    let loader = ConfigurationLoader(
      providers: Providers.all, stages: Stages.registry, redactor: Redactor(),
      environment: UnsetVariables.filled([:], for: text))
    let (_, diagnostics) = loader.load(Array(text.utf8), path: "sources.yaml")
    #expect(diagnostics.all.map(\.message) == [])
    #expect(api.requests.withLock { $0.count } <= 5)
    #expect(api.requests.withLock { $0.allSatisfy { $0.method == "GET" } })
    return text
  }

  /// A list of 30 numbered records, ten at a time from `start`.
  private static func page(_ start: Int, _ extra: String = "") -> String {
    let records = (start..<min(start + 10, 30)).map { "{\"id\":\($0)}" }.joined(separator: ",")
    return "{\"items\":[\(records)]\(extra)}"
  }

  private static func number(_ url: WebURL, _ name: String) -> Int? {
    url.queryItems.first { $0.name == name }.flatMap { Int($0.value) }
  }

  @Test func pagesAreBelievedWhenTheyDiffer() async throws {
    let text = try await infer(
      "https://host/items?page=1&q=a{b}",
      FakeAPI {
        ("application/json", Self.page(((Self.number($0, "page") ?? 1) - 1) * 10, ",\"pages\":3"))
      })
    #expect(text.contains("paginate: { page: { param: page, total_pages: $.pages } }"))
    #expect(text.contains("q: \"a{{b}}\""))
    #expect(!text.contains("page: 1"))
  }

  @Test func parametersWithoutEffectAreNoPaging() async throws {
    let text = try await infer(
      "https://host/items", FakeAPI { _ in ("application/json", Self.page(0, ",\"total\":30")) })
    #expect(text.contains("# paginate: nothing says"))
    #expect(!text.contains("\n    paginate:"))
  }

  @Test func onePageIsAllOfIt() async throws {
    let api = FakeAPI { _ in ("application/json", "{\"items\":[{\"id\":1}],\"total\":1}") }
    #expect(!(try await infer("https://host/items", api)).contains("\n    paginate:"))
    #expect(api.requests.withLock { $0.count } == 1)
  }

  @Test func offsetsAreFound() async throws {
    let text = try await infer(
      "https://host/items?limit=10",
      FakeAPI {
        ("application/json", Self.page(Self.number($0, "skip") ?? 0, ",\"skip\":0,\"total\":30"))
      })
    #expect(
      text.contains(
        "paginate: { offset: { param: skip, limit_param: limit, limit: 10, total: $.total } }"))
    #expect(!text.contains("query:"))
  }

  @Test func tokensAreFound() async throws {
    let text = try await infer(
      "https://host/items",
      FakeAPI {
        (
          "application/json",
          Self.page(Self.number($0, "cursor") ?? 0, ",\"meta\":{\"next_cursor\":\"10\"}")
        )
      })
    #expect(text.contains("paginate: { cursor: { param: cursor, from: $.meta.next_cursor } }"))
  }

  @Test(arguments: [
    (",\"next\":\"https://host/items?p=2\"", "$.next"),
    (",\"links\":{\"next\":\"/items?p=2\"}", "$.links.next"),
    (",\"_links\":{\"next\":{\"href\":\"?p=2\"}}", "$._links.next.href"),
    (",\"next\":null,\"previous\":null", "$.next"),
  ])
  func linksInTheBodyAreFound(extra: String, path: String) async throws {
    let api = FakeAPI { _ in ("application/json", Self.page(0, extra)) }
    let text = try await infer("https://host/items", api)
    #expect(text.contains("paginate: { next_url: { from: \(path) } }"))
    #expect(api.requests.withLock { $0.count } == 1)
  }

  @Test func linkHeadersAreFound() async throws {
    let api = FakeAPI(link: "<https://host/items?p=2>; rel=\"next\"") { _ in
      ("application/json", "[{\"id\":1}]")
    }
    #expect(try await infer("https://host/items", api).contains("paginate: { link_header: {} }"))
  }

  @Test func feedsAndPagesThatNameThemAreNews() async throws {
    let rss =
      "<rss version=\"2.0\"><channel><title>News</title><item><title>a</title></item></channel></rss>"
    let html =
      "<!doctype html><html><head><link rel=\"alternate\" type=\"application/rss+xml\" href=\"/feed\"></head></html>"
    let api = FakeAPI { $0.path == "/feed" ? ("application/rss+xml", rss) : ("text/html", html) }
    for address in ["https://host/feed", "https://host/"] {
      let text = try await infer(address, api)
      #expect(text.contains("provider: news"))
      #expect(text.contains("feeds: [\"https://host/feed\"]"))
    }
  }

  @Test func tablesAndXMLAreRest() async throws {
    let csv = try await infer("https://host/a", FakeAPI { _ in ("text/csv", "id,who\n1,Ann\n") })
    #expect(csv.contains("format: csv"))
    #expect(csv.contains("# columns: id, who"))
    let xml = try await infer(
      "https://host/a",
      FakeAPI { _ in ("text/xml", "<r><row><id>1</id></row><row><id>2</id></row></r>") })
    #expect(xml.contains("format: xml"))
    #expect(xml.contains("row[*]"))
  }

  @Test func keysAreNotWritten() async throws {
    let api = FakeAPI { _ in ("application/json", "[{\"id\":1}]") }
    let text = try await infer(
      "https://host/items", api, secret: .key(place: "query", name: "apikey", value: "s3cret-value")
    )
    #expect(text.contains("value: \"${ITEMS_KEY}\""))
    #expect(!text.contains("s3cret-value"))
    #expect(
      api.requests.withLock { $0.first?.credentials } == [
        .query(name: "apikey", value: "s3cret-value")
      ])
  }

  @Test(arguments: [
    ("text/html", "<html><body>hi</body></html>"), ("text/plain", "hello"), ("text/plain", ""),
  ])
  func whatIsNoDataIsSaid(type: String, body: String) async throws {
    let api = FakeAPI { _ in (type, body) }
    await #expect(throws: AggregateError.self) { try await infer("https://host/", api) }
  }
}
