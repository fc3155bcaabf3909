import AggregateCore
import Testing

@testable import AggregateREST

@Suite struct PagingTests {
  static let items = "\"records\":\"$.items[*]\",\"columns\":{\"id\":\"$.id\"}"

  static func source(_ paginate: String, _ more: String = "", path: String = "/page") -> String {
    "{\"url\":\"http://api.test\(path)\",\(items),\"paginate\":\(paginate)\(more)}"
  }

  static let numbered =
    "\"page\":{\"param\":\"page\",\"first\":1,\"size_param\":\"per_page\",\"size\":10"
  static let byTotal = "{\(numbered),\"total_pages\":\"$.total_pages\"}}"

  static func pages(_ total: Int) -> FakeAPI {
    FakeAPI { request in
      .init(body: pageBody(request.int("page", 1), request.int("per_page", 10), total))
    }
  }

  @Test(arguments: [1, 3, 32]) func totalPagesDecide(_ jobs: Int) async throws {
    let api = Self.pages(95)
    let outcome = try await run(Self.source(Self.byTotal), api, jobs: jobs)
    #expect(outcome.ids == Array(1...95))
    #expect(api.requests.count == 10)
    #expect(Set(api.requests.compactMap { $0.query("page") }).count == 10)
    #expect(api.requests.allSatisfy { $0.query("per_page") == "10" })
    #expect(outcome.error == nil && outcome.warnings.isEmpty)
  }

  @Test(arguments: [
    ("short", 25, 3), ("short", 20, 3), ("short", 7, 1), ("empty", 25, 4), ("empty", 20, 3),
    ("empty", 0, 1),
  ])
  func stopRulesDecideWithoutTotals(_ rule: String, _ total: Int, _ requests: Int) async throws {
    let api = Self.pages(total)
    let outcome = try await run(
      Self.source("{\(Self.numbered)},\"stop_on\":\"\(rule)\"}"), api, jobs: 8)
    #expect(outcome.ids == (total == 0 ? [] : Array(1...total)))
    #expect(api.requests.count == requests)
  }

  /// Pages of 10 records; the page `gap` is empty, and those behind it are one further.
  static func gap(at gap: Int, _ extra: String) -> FakeAPI {
    FakeAPI { request in
      let asked = request.query("page").flatMap { Int($0) } ?? request.int("offset", 0) / 10 + 1
      let page = asked > gap ? asked - 1 : asked
      let items = asked == gap ? "[]" : records((page - 1) * 10 + 1, min(page * 10, 25))
      return .init(body: "{\"items\":\(items)\(extra)}")
    }
  }

  @Test(arguments: [1, 8], [1, 2, 3])
  func whatTheServerDeclaresDecidesOverAnEmptyPage(_ jobs: Int, _ gap: Int) async throws {
    let pages = Self.gap(at: gap, ",\"total_pages\":4")
    #expect(try await run(Self.source(Self.byTotal), pages, jobs: jobs).ids == Array(1...25))
    #expect(pages.requests.count == 4)
    let offsets = Self.gap(at: gap, ",\"total\":35")
    let byOffset =
      "{\"offset\":{\"param\":\"offset\",\"limit_param\":\"limit\",\"limit\":10,\"total\":\"$.total\"}}"
    #expect(try await run(Self.source(byOffset), offsets, jobs: jobs).ids == Array(1...25))
    #expect(offsets.requests.count == 4)
  }

  @Test func aDeclaredRuleDecidesOverTheTotal() async throws {
    let api = Self.gap(at: 2, ",\"total_pages\":4")
    let source = Self.source(Self.byTotal.dropLast() + ",\"stop_on\":\"empty\"}")
    #expect(try await run(source, api).ids == Array(1...10))
  }

  @Test(arguments: [1, 8]) func neverGoesOnBehindEmptyPages(_ jobs: Int) async throws {
    let never = "{\(Self.numbered)},\"stop_on\":\"never\""
    let api = Self.gap(at: 1, "")
    let outcome = try await run(Self.source(never + ",\"max_pages\":8}"), api, jobs: jobs)
    #expect(outcome.ids == Array(1...25))
    #expect(outcome.error == nil)
    #expect(api.requests.count == 8)
    let endless = Self.gap(at: 1, "")
    let stopped = try await run(Self.source(never + "}"), endless, jobs: jobs)
    #expect(stopped.ids == Array(1...25))
    #expect(stopped.error?.code == .pagination)
    #expect(endless.requests.count == 4 + PageGuard.maximumEmptyPages + 1)
  }

  @Test func numbersGoToHeadersAndBodies() async throws {
    let header = FakeAPI { request in
      let page = request.headers.first { $0.name == "X-Page" }?.value
      return .init(body: pageBody(page.flatMap { Int($0) } ?? 0, 10, 25))
    }
    let paginate =
      "{\"page\":{\"param\":\"X-Page\",\"in\":\"header\",\"total_pages\":\"$.total_pages\"}}"
    #expect(try await run(Self.source(paginate), header).ids == Array(1...25))

    let body = FakeAPI { request in
      let page =
        request.text.contains("\"page\":1,") ? 1 : request.text.contains("\"page\":2,") ? 2 : 3
      return .init(body: pageBody(page, 10, 25))
    }
    let inBody = Self.byTotal.replacing("\"size\":10", with: "\"size\":10,\"in\":\"body\"")
    let outcome = try await run(
      Self.source(inBody, ",\"body\":{\"json\":{\"filter\":\"x\"}}"), body)
    #expect(outcome.ids == Array(1...25))
    #expect(body.requests.map(\.method) == ["POST", "POST", "POST"])
    #expect(body.requests[1].text == "{\"filter\":\"x\",\"page\":2,\"per_page\":10}")
    #expect(body.requests[0].headers.contains(HTTPField("Content-Type", "application/json")))
  }

  @Test func conditionsStop() async throws {
    let api = Self.pages(40)
    let outcome = try await run(
      Self.source("{\(Self.numbered)},\"stop_when\":\"page >= 2\"}"), api)
    #expect(outcome.ids == Array(1...20))
    #expect(api.requests.count == 2)
  }

  @Test func aKeyThatIsMissingIsNullForConditions() async throws {
    let api = Self.pages(40)
    let outcome = try await run(
      Self.source("{\(Self.numbered)},\"stop_when\":\"has_more is null\"}"), api)
    #expect(outcome.ids == Array(1...10))
  }

  @Test(arguments: [1, 8], [(0, 25, 3), (0, 20, 2), (5, 25, 2), (0, 0, 1)])
  func offsetsCountToTheTotal(_ jobs: Int, _ wanted: (first: Int, total: Int, requests: Int))
    async throws
  {
    let api = FakeAPI { request in
      let offset = request.int("offset", 0)
      return .init(
        body:
          "{\"items\":\(records(offset + 1, min(offset + 10, wanted.total))),\"total\":\(wanted.total)}"
      )
    }
    let paginate =
      "{\"offset\":{\"param\":\"offset\",\"first\":\(wanted.first),\"limit_param\":\"limit\",\"limit\":10,\"total\":\"$.total\"}}"
    let outcome = try await run(Self.source(paginate), api, jobs: jobs)
    #expect(
      outcome.ids == Array((wanted.first + 1)..<(wanted.total + 1)).filter { $0 <= wanted.total })
    #expect(api.requests.count == wanted.requests)
  }

  @Test func aServerThatGivesLessThanAskedLosesNoRows() async throws {
    let api = FakeAPI { request in
      let offset = request.int("offset", 0)
      return .init(body: "{\"items\":\(records(offset + 1, min(offset + 4, 11))),\"total\":11}")
    }
    let paginate =
      "{\"offset\":{\"param\":\"offset\",\"limit_param\":\"limit\",\"limit\":10,\"total\":\"$.total\"}}"
    #expect(try await run(Self.source(paginate), api, jobs: 8).ids == Array(1...11))
  }

  @Test(arguments: ["null", "\"\"", "absent", "false"])
  func cursorsEnd(_ end: String) async throws {
    let api = FakeAPI { request in
      let start = Int(request.query("after")?.dropLast(6).dropFirst() ?? "0") ?? 0
      let last = min(start + 10, 25)
      var body = "{\"items\":\(records(start + 1, last))"
      if last < 25 {
        body += ",\"next\":\"p\(last)+/=&%2\""
      } else if end != "absent" {
        body += ",\"next\":\(end)"
      }
      return .init(body: body + "}")
    }
    let outcome = try await run(
      Self.source("{\"cursor\":{\"param\":\"after\",\"from\":\"$.next\"}}"), api)
    #expect(outcome.ids == Array(1...25))
    #expect(api.requests.map { $0.query("after") } == [nil, "p10+/=&%2", "p20+/=&%2"])
    #expect(outcome.warnings.isEmpty)
  }

  @Test func cursorsComeInHeaders() async throws {
    let api = FakeAPI { request in
      let start = request.int("after", 0)
      let headers = start < 20 ? [("X-Next", String(start + 10))] : []
      return .init(headers: headers, body: "{\"items\":\(records(start + 1, start + 10))}")
    }
    let outcome = try await run(
      Self.source("{\"cursor\":{\"param\":\"after\",\"from\":\"header:X-Next\"}}"), api)
    #expect(outcome.ids == Array(1...30))
  }

  @Test func graphQLPages() async throws {
    let api = FakeAPI { request in
      let start = request.text.contains("\"c10\"") ? 10 : request.text.contains("\"c20\"") ? 20 : 0
      let last = min(start + 10, 25)
      return .init(
        body:
          "{\"data\":{\"items\":{\"nodes\":\(records(start + 1, last)),\"pageInfo\":{\"hasNextPage\":\(last < 25),\"endCursor\":\"c\(last)\"}}}}"
      )
    }
    let outcome = try await run(
      """
      {"url":"http://api.test/graphql","records":"$.data.items.nodes[*]","columns":{"id":"$.id"},
       "body":{"graphql":{"query":"query($after: String) { items(after: $after) { nodes{id} } }","variables":{"first":10}}},
       "paginate":{"cursor":{"param":"after","in":"body","path":"$.variables.after","from":"$.data.items.pageInfo.endCursor"},
                   "stop_when":"data.items.pageInfo.hasNextPage = false"}}
      """, api)
    #expect(outcome.error == nil)
    #expect(outcome.ids == Array(1...25))
    #expect(api.requests.count == 3)
    #expect(
      api.requests[1].text
        == "{\"query\":\"query($after: String) { items(after: $after) { nodes{id} } }\",\"variables\":{\"first\":10,\"after\":\"c10\"}}"
    )
  }

  @Test(arguments: [
    "http://api.test/next?offset=", "?offset=", "/next?offset=", "./x/../next?offset=",
    "//api.test/next?offset=",
  ])
  func nextAddressesAreResolved(_ form: String) async throws {
    let api = FakeAPI { request in
      let offset = request.int("offset", 0)
      let next = offset < 20 ? "\"\(form)\(offset + 10)\"" : "null"
      return .init(
        body: "{\"items\":\(records(offset + 1, min(offset + 10, 25))),\"next\":\(next)}")
    }
    let outcome = try await run(
      Self.source("{\"next_url\":{\"from\":\"$.next\"}}", path: "/next"), api)
    #expect(outcome.ids == Array(1...25))
    #expect(api.requests.count == 3)
  }

  @Test func aNextAddressKeepsTheDeclaredQueryAndWins() async throws {
    let api = FakeAPI { request in
      let offset = request.int("offset", 0)
      let next = offset < 10 ? "\"?offset=10&limit=7\"" : "null"
      return .init(body: "{\"items\":\(records(offset + 1, offset + 10)),\"next\":\(next)}")
    }
    _ = try await run(
      Self.source(
        "{\"next_url\":{\"from\":\"$.next\"}}", ",\"query\":{\"limit\":\"10\",\"q\":\"a&b\"}"), api)
    #expect(
      api.addresses == [
        "http://api.test/page?limit=10&q=a%26b", "http://api.test/page?offset=10&limit=7&q=a%26b",
      ])
  }

  @Test func linkHeadersAreFollowed() async throws {
    let api = FakeAPI { request in
      let page = request.int("page", 1)
      let link =
        page < 3
        ? [("link", "</page?page=1>; rel=\"first\", </page?page=\(page + 1)>; rel=\"next\"")] : []
      return .init(headers: link, body: pageBody(page, 10, 25))
    }
    let outcome = try await run(Self.source("{\"link_header\":{}}"), api)
    #expect(outcome.ids == Array(1...25))
    #expect(api.requests.count == 3)
  }

  @Test(arguments: [1, 8]) func limitsOfPagesHold(_ jobs: Int) async throws {
    let api = Self.pages(100)
    #expect(
      try await run(Self.source(Self.byTotal), api, jobs: jobs, maxPages: 2).ids == Array(1...20))
    #expect(api.requests.count == 2)
    let own = Self.pages(100)
    let paginate = String(Self.byTotal.dropLast()) + ",\"max_pages\":3}"
    #expect(try await run(Self.source(paginate), own, jobs: jobs).ids == Array(1...30))
    #expect(own.requests.count == 3)
    let one = Self.pages(100)
    #expect(
      try await run(Self.source(Self.byTotal), one, jobs: jobs, maxPages: 1).ids == Array(1...10))
    #expect(one.requests.count == 1)
  }
}
