import AggregateCore
import AggregateJSON
import AggregateTestSupport
import Synchronization
import Testing

/// A provider as small as can be, for the source that it declares.
private struct Rooms: JSONProvider {
  static let spec = ProviderSpec(
    "rooms", "Readings of rooms.",
    options: [
      OptionSpec("rooms", .list(of: .text, orSingle: true), "Which.", example: "[a]"),
      OptionSpec("paging", .text, default: "single", "How it pages."),
      OptionSpec("limit", .int(0...Int.max), "At most this many."),
    ],
    columns: fields.map(\.column), example: "rooms: { provider: rooms }")

  static let fields = [
    JSONField("id", .int, required: true, "Number."),
    JSONField("name", .text, at: "who.name", values: ["k": "kitchen"], "Name."),
    JSONField("time", .instant, at: "at", epoch: .milliseconds, "When."),
    JSONField("temp", .number, at: "values.0", unit: "°C", "Temperature."),
    JSONField("open", .bool, "Whether a window is open."),
    JSONField("day", .date, "Day."),
    JSONField("tags", .list, "Words."),
  ]
  let source: JSONSource

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let paging: Paging<JSONDocument> =
      switch options.text("paging") {
      case "offset": .offset("skip", size: "take", of: 2)
      case "number": .number("page", size: "per", of: 2)
      case "next": .next(at: "links.next")
      case "cursor": .cursor(at: "cursor", "after")
      default: .single
      }
    source = JSONSource(
      Self.fields, records: "data.items",
      parts: (options.texts("rooms") ?? ["a"]).map {
        JSONPart(
          WebURL("http://h/\($0)"), name: $0, query: ["x": nil, "q": "1"],
          credentials: [.header(name: "X-Token", value: "s3cret")])
      }, paging: paging, limit: options.int("limit") ?? .max)
  }
}

/// A service that wants a key, and names its rooms by the part.
private struct Guarded: JSONProvider {
  static let spec = ProviderSpec(
    "guarded", "Readings behind a key.",
    options: [
      OptionSpec("key", .text, secret: true, "The key.", example: "abc"),
      OptionSpec("place", .choice(["header", "bearer", "query"]), default: "header", "Where."),
    ],
    columns: fields.map(\.column), example: "guarded: { provider: guarded, key: abc }")

  static let fields = [JSONField.part("room", "Room."), JSONField("id", .int, "Number.")]
  let source: JSONSource

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    let key = ServiceKey(
      "key", of: options, service: "guarded", page: "http://h/keys", variable: "GUARDED_KEY")
    source = JSONSource(
      Self.fields,
      parts: ["a", "b"].map { JSONPart(WebURL("http://h"), path: "/\($0)", name: $0) },
      paging: .offset(of: 2),
      key: options.text("place") == "query"
        ? .query("apikey", key)
        : options.text("place") == "bearer"
          ? .header("Authorization", key, prefix: "Bearer ") : .header("X-Key", key))
  }
}

/// A service that says how many records there are.
private struct Counted: JSONProvider {
  static let spec = ProviderSpec(
    "counted", "Counted readings.", options: [], columns: Guarded.fields.map(\.column),
    example: "counted: { provider: counted }")
  let source: JSONSource

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    source = JSONSource(
      Guarded.fields, records: "records",
      parts: ["a", "b"].map { JSONPart(WebURL("http://h"), path: "/\($0)", name: $0) },
      paging: .offset(of: 2, total: "meta.total"))
  }
}

@Suite struct JSONSourceTests {
  private func rows(_ yaml: String, _ client: RecordedClient, _ log: RunLog = .silent) async throws
    -> [String]
  {
    try await TestRows.shown(
      ProviderHarness.run(ProviderHarness.make(Rooms.self, yaml), client, log: log))
  }

  private static func page(_ ids: [Int], _ rest: String = "") -> String {
    #"{"data":{"items":[\#(ids.map { #"{"id":\#($0)}"# }.joined(separator: ","))]}\#(rest)}"#
  }

  @Test func obeysTheLawsOfProviders() async throws {
    try await checkProvider(
      Rooms.self, "rooms: [a, b]", answers: [.to("/", giving: Self.page([1, 2]))],
      empty: [.to("/", giving: Self.page([]))])
  }

  @Test func valuesAreReadAsTheColumnsType() async throws {
    let record = #"""
      {"id":"7","who":{"name":"k"},"at":1500,"values":["21.50"],"open":0,"day":"2024-03-01T00:00Z",
       "tags":[ 1, "a" ],"new":{}}
      """#
    let client = RecordedClient([
      .to("/a?q=1", giving: #"{"data":{"items":[\#(record),{"id":8,"who":{"name":5}}]}}"#)
    ])
    #expect(
      try await rows("", client) == [
        "7 | “kitchen” | “1970-01-01T00:00:01.500Z” | 21.50 | false | “2024-03-01” | [1,\"a\"]",
        "8 | “5” | null | null | null | null | null",
      ])
    #expect(client.requests[0].credentials == [.header(name: "X-Token", value: "s3cret")])
  }

  @Test func valueOfAnotherKindIsNullAndTold() async throws {
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
    let client = RecordedClient([
      .to("/", giving: #"{"data":{"items":[{"id":1,"values":["warm"],"who":{"name":{"a":1}}}]}}"#)
    ])
    #expect(try await rows("", client, log) == ["1 | null | null | null | null | null | null"])
    log.reportLosses()
    #expect(lines.withLock { $0 }.contains { $0.contains("“temp”") && $0.contains("warm") })
    #expect(
      lines.withLock { $0 }.contains { $0.contains("“name”") && $0.contains("is not a text") })
    let strict = RunLog(level: .normal, isStrict: true) { _ in }
    await #expect(throws: AggregateError.self) { try await rows("", client, strict) }
  }

  @Test(arguments: [
    ("{}", "“a”: http://h/a?q=1: the answer has no list “data.items”"),
    (#"{"message":"no such room"}"#, "it says “no such room”"),
    (#"{"data":{"items":{}}}"#, "has no list “data.items”"),
    (#"{"data":{"items":[{}]}}"#, "a record has no “id”: {}"),
    (#"{"data":{"items":[{"id":"x"}]}}"#, "a record has no “id” but the text \"x\""),
    ("<html><title>Sorry</title></html>", "http://h/a?q=1: this is HTML, not JSON"),
  ])
  func otherAnswersAreExplained(_ body: String, _ part: String) async {
    let error = await #expect(throws: AggregateError.self) {
      try await rows("", RecordedClient([.to("/a", giving: body)]))
    }
    #expect(error?.code == .badData)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("“a”") == true)
  }

  @Test func noContentIsNoRows() async throws {
    #expect(try await rows("", RecordedClient([.to("/", status: 204, giving: "")])).isEmpty)
  }

  private static let pages: [String: [RecordedClient.Answer]] = [
    "offset": [
      .to("take=2&skip=0", giving: page([1, 2])), .to("take=1&skip=2", giving: page([3])),
      .to("take=2&skip=2", giving: page([3, 4])), .to("take=2&skip=4", giving: page([5])),
      .to("take=1&skip=0", giving: page([1])), .to("take=1&skip=4", giving: page([5])),
      .to("take=2&skip=5", giving: page([])),
    ],
    "number": [
      .to("page=1", "per=2", giving: page([1, 2])), .to("page=2", giving: page([3, 4])),
      .to("page=3", giving: page([5])), .to("page=4", giving: page([])),
    ],
    "next": [
      .to("p=2", giving: page([3, 4], #","links":{"next":"?p=3"}"#)),
      .to("p=3", giving: page([5], #","links":{"next":null}"#)),
      .to("/a", giving: page([1, 2], #","links":{"next":"http://h/a?p=2"}"#)),
    ],
    "cursor": [
      .to("q=1&after=x%2Fy", giving: page([3, 4], #","cursor":77"#)),
      .to("after=77", giving: page([5], #","cursor":"""#)),
      .to("/a", giving: page([1, 2], #","cursor":"x/y""#)),
    ],
  ]

  @Test(arguments: ["offset", "number", "next", "cursor"])
  func pagesAreReadToTheLastOrTheLimit(_ paging: String) async throws {
    // What is numbered has no end but an empty page.
    let all = ["offset", "number"].contains(paging) ? 4 : 3
    for (limit, requests) in [(nil, all), (5, 3), (4, 2), (3, 2), (2, 1), (1, 1), (0, 0)] {
      let client = RecordedClient(try #require(Self.pages[paging]))
      let limited = limit.map { "\nlimit: \($0)" } ?? ""
      let rows = try await rows("paging: \(paging)\(limited)", client)
      #expect(rows.map { String($0.prefix(1)) } == (1...5).prefix(limit ?? 5).map(String.init))
      #expect(client.requests.count == requests, "\(paging) \(limited): \(client.addresses)")
      #expect(client.requests.allSatisfy { $0.credentials.count == 1 })
    }
  }

  /// A service that gives fewer than asked, another that gives more.
  @Test(arguments: ["offset", "number"], [1, 2, 3, 4])
  func pagesOfAnotherSizeThanAskedLoseNothing(_ paging: String, _ size: Int) async throws {
    let answers = (0...10).map { index in
      let first = paging == "offset" ? index : index * size
      let page = Self.page(Array((1...10).dropFirst(first).prefix(size)))
      return RecordedClient.Answer(body: Array(page.utf8)) { request in
        let items = Dictionary(request.url.queryItems.map { ($0.name, $0.value) }) { $1 }
        return paging == "offset" ? items["skip"] == "\(index)" : items["page"] == "\(index + 1)"
      }
    }
    let rows = try await rows("paging: \(paging)", RecordedClient(answers))
    #expect(rows.map { String($0.prefix { $0 != " " }) } == (1...10).map(String.init))
  }

  /// Services that filter after they page give pages without records in between.
  @Test(arguments: ["next", "cursor"])
  func emptyPageThatNamesAnotherIsNotTheLast(_ paging: String) async throws {
    func more(_ page: Int) -> String {
      paging == "next" ? #","links":{"next":"?p=\#(page)"}"# : #","cursor":\#(page)"#
    }
    let client = RecordedClient([
      .to(paging == "next" ? "p=2" : "after=2", giving: Self.page([], more(3))),
      .to(paging == "next" ? "p=3" : "after=3", giving: Self.page([3])),
      .to("/a", giving: Self.page([1, 2], more(2))),
    ])
    #expect(try await rows("paging: \(paging)", client).count == 3)
  }

  @Test func emptyPagesWithoutEndAreAnError() async throws {
    let pages = (0...300).reversed().map { page in
      RecordedClient.Answer.to(
        page == 0 ? "/a" : "after=\(page)", giving: Self.page([], #","cursor":\#(page + 1)"#))
    }
    let client = RecordedClient(pages)
    let error = await #expect(throws: AggregateError.self) {
      try await rows("paging: cursor", client)
    }
    #expect(error?.code == .pagination)
    #expect(client.requests.count < 150)
  }

  @Test(arguments: [
    ("header", Credential.header(name: "X-Key", value: "k")),
    ("bearer", .header(name: "Authorization", value: "Bearer k")),
    ("query", .query(name: "apikey", value: "k")),
  ])
  func keyGoesWithEveryRequest(_ place: String, _ credential: Credential) async throws {
    let client = RecordedClient([.to("/", giving: #"[{"id":1}]"#)])
    let provider = try ProviderHarness.make(Guarded.self, "key: k\nplace: \(place)")
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, client)
    }
    // The service ignores the offset.
    #expect(error?.code == .pagination)
    #expect(client.requests.count >= 2)
    #expect(client.requests.allSatisfy { $0.credentials == [credential] })
    #expect(client.addresses.allSatisfy { !$0.contains("apikey") })
  }

  @Test(arguments: ["", "key: \"\""])
  func withoutTheKeyNothingIsSent(_ yaml: String) async throws {
    let client = RecordedClient([.to("/", giving: "[]")])
    let provider = try ProviderHarness.make(Guarded.self, yaml)
    let error = await #expect(throws: AggregateError.self) {
      try await ProviderHarness.rows(provider, client)
    }
    #expect(error?.code == .configuration)
    #expect(error?.message.contains("guarded needs a key, and “key” is not set") == true)
    #expect(client.requests.isEmpty)
    let context = ProviderContext(
      source: "src", http: client, log: .silent, jobs: 1, isLive: false, emit: { _ in })
    try await provider.rows(context)
    #expect(client.requests.count == 2)
    #expect(client.requests.allSatisfy { $0.credentials.isEmpty })
  }

  @Test func partIsAColumnAndTheTotalSaysWhatTheLastPageIs() async throws {
    func answer(_ room: String, _ offset: Int, _ ids: [Int]) -> RecordedClient.Answer {
      let records = ids.map { #"{"id":\#($0)}"# }.joined(separator: ",")
      return .to(
        "/\(room)?", "offset=\(offset)",
        giving: #"{"records":[\#(records)],"meta":{"total":"3"}}"#)
    }
    let client = RecordedClient([
      answer("a", 0, [1]), answer("a", 1, [2, 3]), answer("b", 0, [4, 5]), answer("b", 2, [6]),
    ])
    let provider = try ProviderHarness.make(Counted.self, "")
    #expect(
      try await ProviderHarness.rows(provider, client) == [
        "“a” | 1", "“a” | 2", "“a” | 3", "“b” | 4", "“b” | 5", "“b” | 6",
      ])
    #expect(client.requests.count == 4)
    #expect(
      provider.plan.paging?.ends == [
        "the number of records at meta.total is reached", "without that number, an empty page",
      ])
  }

  @Test(arguments: [(3, true), (2, false)])
  func fewerRecordsThanTheServiceSaysAreTold(_ total: Int, _ isTold: Bool) async throws {
    let lines = Mutex<[String]>([])
    let log = RunLog(level: .normal, isStrict: false) { line in
      lines.withLock { $0.append("\(line)") }
    }
    func answer(_ records: String) -> String {
      #"{"records":[\#(records)],"meta":{"total":\#(total)}}"#
    }
    let client = RecordedClient([
      .to("offset=0", giving: answer(#"{"id":1},{"id":2}"#)), .to("offset=2", giving: answer("")),
    ])
    let provider = try ProviderHarness.make(Counted.self, "")
    #expect(try await TestRows.shown(ProviderHarness.run(provider, client, log: log)).count == 4)
    let told = lines.withLock { $0 }.filter { $0.contains("there are 3 records, and gave 2") }
    #expect(told.count == (isTold ? 2 : 0))
  }

  @Test func nextPageElsewhereIsRefused() async {
    let client = RecordedClient([
      .to("/a", giving: Self.page([1], #","links":{"next":"http://other/a"}"#))
    ])
    let error = await #expect(throws: AggregateError.self) {
      try await rows("paging: next", client)
    }
    #expect(error?.code == .pagination)
    #expect(client.requests.count == 1)
  }

  @Test func pageThatNamesItselfIsTheLast() async throws {
    let client = RecordedClient([
      .to("/a", giving: Self.page([1], #","links":{"next":"http://h/a?q=1"}"#))
    ])
    #expect(try await rows("paging: next", client).count == 1)
    #expect(client.requests.count == 2)
  }

  @Test func partsKeepTheirOrderAndTheirOwnLimit() async throws {
    let client = RecordedClient(
      [.to("/a", giving: Self.page([1, 2, 3])), .to("/b", giving: Self.page([4, 5, 6]))],
      scrambles: true)
    #expect(
      try await rows("rooms: [b, a]\nlimit: 2", client).map { $0.prefix(1) } == [
        "4", "5", "1", "2",
      ])
  }
}
