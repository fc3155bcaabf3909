import AggregateCore
import AggregateTestSupport
import Testing

@testable import AggregateREST

@Suite struct RESTSourceTests {
  static func api(_ body: String, type: String = "application/json", status: Int = 200) -> FakeAPI {
    FakeAPI { _ in .init(status: status, headers: [("Content-Type", type)], body: body) }
  }

  static func columns(_ columns: String, records: String = "$[*]") -> String {
    "{\"url\":\"http://api.test/x\",\"records\":\"\(records)\",\"columns\":\(columns)}"
  }

  @Test func columnsAreReadAndConverted() async throws {
    let outcome = try await run(
      Self.columns(
        """
        {"i":{"path":"$.i","type":"int"},"n":{"path":"$.n","type":"number"},"b":{"path":"$.b","type":"bool"},
         "t":{"path":"$.t","type":"text"},"d":{"path":"$.d","type":"date"},
         "s":{"path":"$.s","type":"instant","format":"epoch_s"},"z":{"path":"$.z","type":"instant","zone":"Europe/Paris"},
         "l":{"path":"$.l","type":"list"},"first":"$.l[0]","last":"$.l[-1]","names":"$.o[*].n","one":{"path":"$.o[*].n","type":"text"},
         "f":{"path":"$.f","default":"none"},"g":{"path":"$.f","type":"int","default":7}}
        """),
      Self.api(
        #"[{"i":"12","n":"1.5","b":"true","t":7,"d":"2024-02-29","s":1704067200,"z":"2024-07-01T12:00:00","l":["x","y"],"o":[{"n":"p"},{"n":"q"}]}]"#
      ))
    #expect(
      outcome.texts == [
        [
          "12", "1.5", "true", "7", "2024-02-29", "2024-01-01T00:00:00Z", "2024-07-01T10:00:00Z",
          "[\"x\",\"y\"]", "x", "y", "[\"p\",\"q\"]", "p", "none", "7",
        ]
      ])
    #expect(outcome.rows[0][0] == .number("12"))
    #expect(outcome.rows[0][2] == .bool(true))
    #expect(outcome.rows[0][3] == .text("7"))
  }

  @Test func whatIsNotOfItsTypeIsNullAndCounted() async throws {
    let source = Self.columns("{\"id\":\"$.id\",\"v\":{\"path\":\"$.v\",\"type\":\"int\"}}")
    let body =
      #"[{"id":1,"v":"5"},{"id":2,"v":"five"},{"id":3,"v":1e400},{"id":4,"v":5.0},{"id":5,"v":[1]}]"#
    let outcome = try await run(source, Self.api(body))
    #expect(outcome.texts.map { $0[1] } == ["5", "", "", "5", ""])
    let strict = try await run(source, Self.api(body), strict: true)
    #expect(strict.error?.code == .badData)
    #expect(strict.error?.message.contains("v") == true)
  }

  @Test func everyValueOfATypeSurvivesOrIsLost() async throws {
    let values = [
      "null", "1", "1.5", "\"1\"", "\"\\u0031\"", "\"x\"", "true", "[1]", "{\"a\":1}", "\"\"",
      "\"2024-01-01\"",
    ]
    let body = "[\(values.map { "{\"v\":\($0)}" }.joined(separator: ","))]"
    for type in ValueType.declarable {
      let outcome = try await run(
        Self.columns("{\"v\":{\"path\":\"$.v\",\"type\":\"\(type)\"}}"), Self.api(body))
      #expect(outcome.rows.count == values.count, "\(type)")
      #expect(outcome.rows[0][0].isNull)
    }
  }

  @Test func requiredValuesAreRequired() async throws {
    let outcome = try await run(
      Self.columns("{\"v\":{\"path\":\"$.v\",\"required\":true}}"), Self.api("[{\"v\":1},{}]"))
    #expect(outcome.error?.message.contains("“v”") == true)
  }

  @Test func withoutColumnsEveryFieldIsOne() async throws {
    let api = FakeAPI { request in
      request.url.path == "/a"
        ? .init(body: "[]")
        : .init(body: "[{\"id\":\"\(request.url.path)\",\"n\":{\"x\":1}},{\"m\":2}]")
    }
    for jobs in [1, 8] {
      let outcome = try await run(
        "{\"url\":\"http://api.test/{k}\",\"for_each\":{\"k\":[\"a\",\"b\",\"c\",\"d\"]}}", api,
        jobs: jobs)
      #expect(outcome.names == ["id", "n", "m", "_extra"])
      #expect(outcome.texts.map { $0[0] } == ["/b", "", "/c", "", "/d", ""])
    }
  }

  @Test func newFieldsGoWhereTheyShould() async throws {
    let body = "[{\"a\":1},{\"a\":2,\"b\":3}]"
    func source(_ policy: String) -> String {
      "{\"url\":\"http://api.test/x\",\"schema\":{\"sample\":1,\"on_new_column\":\"\(policy)\"}}"
    }
    let extra = try await run(source("extra"), Self.api(body))
    #expect(extra.texts.last == ["2", "{\"b\":3}"])
    let drop = try await run(source("drop"), Self.api(body))
    #expect(drop.texts == [["1"], ["2"]])
    #expect(try await run(source("error"), Self.api(body)).error?.code == .badData)
  }

  @Test(arguments: [
    ("ndjson", "application/json", "{\"a\":1}\n{\"a\":2}\n"),
    ("ndjson", "text/plain", "{\"a\":1}{\"a\":2}"),
    ("auto", "application/x-ndjson", "{\"a\":1}\r\n{\"a\":2}"),
    ("auto", "text/plain", "{\"a\":1}\n{\"a\":2}"),
    ("csv", "text/plain", "a\n1\n2\n"), ("auto", "text/csv", "a\n1\n2"),
    ("tsv", "text/plain", "a\tb\n1\t\n2\t\n"),
    ("auto", "application/json", "\u{FEFF}[{\"a\":1},{\"a\":2}]"),
    ("auto", "text/html", " [{\"a\":1},{\"a\":2}]"),
    ("xml", "application/xml", "<r><i><a>1</a></i><i><a>2</a></i></r>"),
  ])
  func formatsAreReadOrRecognised(_ format: String, _ type: String, _ body: String) async throws {
    let records = format == "xml" ? ",\"records\":\"$.r.i[*]\"" : ""
    let outcome = try await run(
      "{\"url\":\"http://api.test/x\",\"format\":\"\(format)\"\(records),\"columns\":{\"a\":\"$.a\"}}",
      Self.api(body, type: type))
    #expect(outcome.error == nil)
    #expect(outcome.texts == [["1"], ["2"]])
  }

  @Test(arguments: [
    "application/json", "application/x-ndjson", "text/csv", "text/tab-separated-values",
  ])
  func theCharsetIsHonoured(_ type: String) async throws {
    let text = type.contains("json") ? "{\"a\":\"Zoë €\"}\n{\"a\":\"Ü\"}" : "a\nZoë €\nÜ\n"
    @Sendable func bytes(_ charset: String) -> [UInt8] {
      switch charset {
      case "utf-16le": Array(text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
      case "utf-8": Array(text.utf8)
      default: text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
      }
    }
    for charset in ["utf-8", "ISO-8859-1", "\"windows-1252\"", "utf-16le", ""] {
      let kind = charset.isEmpty ? type : "\(type); charset=\(charset)"
      let api = FakeAPI { _ in
        .init(headers: [("Content-Type", kind)], body: "", bytes: bytes(charset))
      }
      let outcome = try await run("{\"url\":\"http://api.test/x\"}", api)
      #expect(outcome.error == nil, "\(kind)")
      #expect(outcome.texts.map { $0[0] } == ["Zoë €", "Ü"], "\(kind)")
      #expect(outcome.warnings.count == (charset.isEmpty ? 1 : 0), "\(kind)")
    }
  }

  @Test func aKeyThatARecordHasTwiceIsWarnedOfOnce() async throws {
    let body = #"[{"id":1,"x":2,"x":3},{"id":2,"x":4,"x":5},{"id":3}]"#
    for columns in ["", ",\"columns\":{\"id\":\"$.id\",\"x\":\"$.x\"}"] {
      let outcome = try await run("{\"url\":\"http://api.test/x\"\(columns)}", Self.api(body))
      #expect(outcome.texts.map { $0[1] } == ["3", "5", ""])
      #expect(outcome.warnings == ["duplicate key “x”: the last of its values is kept"])
    }
    let once = try await run(
      Self.columns("{\"id\":\"$.id\"}"), Self.api("[{\"id\":1,\"y\":2}]"))
    #expect(once.warnings.isEmpty)
  }

  @Test(arguments: [
    "{\"url\":\"http://api.test/{k\"}",
    "{\"url\":\"http://api.test/x\",\"query\":{\"q\":\"a {k\"}}",
    "{\"url\":\"http://api.test/x\",\"headers\":{\"X\":\"{k\"}}",
  ])
  func anUnclosedBraceIsAMistake(_ source: String) throws {
    var diagnostics = Diagnostics()
    _ = try provider(source, &diagnostics)
    #expect(diagnostics.all.map(\.code) == ["unclosed-placeholder"])
  }

  @Test func feedsHaveTheirColumns() async throws {
    let outcome = try await run(
      "{\"url\":\"http://api.test/rss\"}",
      Self.api(
        "<rss version=\"2.0\"><channel><title>T</title><item><title>One</title></item></channel></rss>",
        type: "application/rss+xml"))
    #expect(outcome.names.first == "title")
    #expect(outcome.texts.map { $0[0] } == ["One"])
  }

  @Test(arguments: ["auto", "json", "ndjson", "csv", "tsv", "xml", "feed"], ["", " \r\n\t"])
  func emptyBodiesHaveNoRows(_ format: String, _ body: String) async throws {
    let outcome = try await run(
      "{\"url\":\"http://api.test/x\",\"format\":\"\(format)\",\"columns\":{\"a\":\"$.a\"}}",
      Self.api(body, type: ""))
    #expect(outcome.error == nil && outcome.rows.isEmpty && outcome.warnings.isEmpty)
  }

  @Test(arguments: [
    ("<!DOCTYPE html><html><head><title>Log in</title>", "web page"),
    ("{\"items\":[{\"a\":1},", "http://api.test/x"),
    ("not json", "http://api.test/x"), ("<x/>", "markup"),
  ])
  func whatIsNoJSONIsSaid(_ body: String, _ words: String) async throws {
    let outcome = try await run(
      "{\"url\":\"http://api.test/x\",\"format\":\"json\",\"columns\":{\"a\":\"$.a\"}}",
      Self.api(body))
    #expect(outcome.error?.code == .badData)
    #expect(outcome.error?.description.contains(words) == true)
  }

  @Test func recordsThatMatchNothingAreAWarning() async throws {
    let body = "{\"data\":{\"items\":[{\"id\":1}]},\"n\":1}"
    let outcome = try await run(
      Self.columns("{\"id\":\"$.id\"}", records: "$.itms[*]"), Self.api(body))
    #expect(outcome.error == nil && outcome.rows.isEmpty)
    #expect(outcome.warnings.count == 1)
    #expect(outcome.warnings.first?.contains("$.data.items[*]") == true)
    for (path, body) in [
      ("$.items[*]", "{\"items\":[]}"), ("$.items[*]", "{\"items\":null}"), ("$[*]", "[]"),
      ("$.items[?@.a > 1]", "{\"items\":[{\"a\":1}]}"), ("$.items.*", "{\"items\":{}}"),
    ] {
      let silent = try await run(Self.columns("{\"id\":\"$.id\"}", records: path), Self.api(body))
      #expect(silent.warnings.isEmpty, "\(path)")
    }
  }

  @Test func valuesAreCombinedInOrder() async throws {
    let api = FakeAPI { request in
      .init(body: "[{\"u\":\"\(request.url.path)?\(request.query("ids") ?? "")\"}]")
    }
    let outcome = try await run(
      """
      {"url":"http://api.test/{a}","query":{"ids":"{b}"},"columns":{"u":"$.u","tag":"<{a}-{b}-{w}>"},
       "params":{"w":"p"},
       "for_each":{"a":["x/y","z"],"b":{"range":{"from":1,"to":5,"step":2},"batch":2}}}
      """, api, jobs: 3)
    #expect(
      outcome.texts == [
        ["/x/y?1,3", "<x/y-1,3-p>"], ["/x/y?5", "<x/y-5-p>"], ["/z?1,3", "<z-1,3-p>"],
        ["/z?5", "<z-5-p>"],
      ])
  }

  @Test func valuesComeFromAnotherSource() async throws {
    let parent = Batch(
      schema: Schema([ColumnSpec("id", .int)]),
      columns: [.ints(Vector([3, 0, 1], nulls: [false, true, false]))],
      rowCount: 3)
    let api = FakeAPI { request in .init(body: "[{\"id\":\"\(request.url.path)\"}]") }
    let source =
      "{\"url\":\"http://api.test/{p}\",\"columns\":{\"id\":\"$.id\"},\"for_each\":{\"p\":{\"source\":\"top\",\"column\":\"id\"}}}"
    let outcome = try await run(source, api, jobs: 4, parents: ["top": parent])
    #expect(outcome.texts == [["/3"], ["/1"]])
    var diagnostics = Diagnostics()
    #expect(try provider(source, &diagnostics).sourceReferences.map(\.text) == ["top"])
  }

  @Test func rulesDecideAboutErrors() async throws {
    let api = FakeAPI { request in
      request.url.path == "/2"
        ? .init(status: 404, body: "{\"code\":\"gone\"}") : .init(body: "[{\"id\":1}]")
    }
    func source(_ rules: String) -> String {
      "{\"url\":\"http://api.test/{k}\",\"columns\":{\"id\":\"$.id\"},\"for_each\":{\"k\":[1,2,3]},\"errors\":[\(rules)]}"
    }
    let skipped = try await run(source("{\"status\":[\"4xx\"],\"do\":\"skip\"}"), api)
    #expect(skipped.error == nil && skipped.rows.count == 2)
    let byBody = try await run(source("{\"body\":\"code = 'gone'\",\"do\":\"skip\"}"), api)
    #expect(byBody.error == nil && byBody.rows.count == 2)
    let failed = try await run(
      source("{\"status\":[404],\"do\":\"fail\",\"message\":\"no such thing\"}"), api)
    #expect(failed.error?.description == "items: no such thing")
    let unmatched = try await run(source("{\"status\":[500],\"do\":\"skip\"}"), api)
    #expect(unmatched.error?.status == 404 && unmatched.rows.count == 1)
  }

  @Test(arguments: [
    ("{\"bearer\":\"t\"}", Credential.header(name: "Authorization", value: "Bearer t")),
    (
      "{\"basic\":{\"user\":\"ann\",\"password\":\"pw\"}}",
      .header(name: "Authorization", value: "Basic YW5uOnB3")
    ),
    (
      "{\"api_key\":{\"name\":\"k\",\"value\":\"v\",\"prefix\":\"Token \"}}",
      .header(name: "k", value: "Token v")
    ),
    (
      "{\"api_key\":{\"in\":\"query\",\"name\":\"k\",\"value\":\"v\"}}",
      .query(name: "k", value: "v")
    ),
    (
      "{\"api_key\":{\"in\":\"cookie\",\"name\":\"k\",\"value\":\"v\"}}",
      .cookie(name: "k", value: "v")
    ),
    ("{\"netrc\":true}", .netrc),
    (
      "{\"aws_sigv4\":{\"region\":\"r\",\"service\":\"s\",\"access_key\":\"a\",\"secret_key\":\"b\"}}",
      .awsSigV4(region: "r", service: "s", accessKey: "a", secretKey: "b", token: nil)
    ),
  ])
  func credentialsAreGivenToTheTransport(_ auth: String, _ wanted: Credential) async throws {
    let api = Self.api("[]")
    _ = try await run("{\"url\":\"http://api.test/x\",\"auth\":\(auth)}", api)
    #expect(api.requests.first?.credentials == [wanted])
    #expect(api.requests.first?.url.query == nil)
  }

  @Test func bodiesAreSent() async throws {
    for (body, text, type) in [
      (
        "{\"json\":{\"a\":\"1\",\"b\":[\"x\",\"{w}\"],\"c\":1.50,\"d\":null,\"e\":true}}",
        "{\"a\":\"1\",\"b\":[\"x\",\"p q\"],\"c\":1.50,\"d\":null,\"e\":true}", "application/json"
      ),
      (
        "{\"form\":{\"a\":[\"1 2\",\"3\"],\"b\":\"{w}\"}}", "a=1%202&a=3&b=p%20q",
        "application/x-www-form-urlencoded"
      ),
      ("{\"text\":\"SELECT {w}\"}", "SELECT p q", "text/plain; charset=utf-8"),
    ] {
      let api = Self.api("[]")
      _ = try await run(
        "{\"url\":\"http://api.test/x\",\"params\":{\"w\":\"p q\"},\"body\":\(body)}", api)
      #expect(api.requests.first?.method == "POST")
      #expect(api.requests.first?.text == text)
      #expect(api.requests.first?.headers == [HTTPField("Content-Type", type)])
    }
  }

  @Test(arguments: [
    ("{\"url\":\"ftp://x/\"}", "is not an HTTP address"),
    ("{\"url\":\"http://x/{nme}\",\"params\":{\"name\":\"a\"}}", "did you mean “name”?"),
    ("{\"url\":\"http://x/\",\"columns\":{\"a\":\"{k}\"}}", "{k}"),
    ("{\"url\":\"http://x/\",\"records\":\"$.items[?\"}", "records"),
    (
      "{\"url\":\"http://x/\",\"columns\":{\"a\":{\"path\":\"$.a\",\"type\":\"nmber\"}}}",
      "did you mean “number”?"
    ),
    ("{\"url\":\"http://x/\",\"columns\":{\"a\":\"$.a[\"}}", "columns.a"),
    (
      "{\"url\":\"http://x/\",\"columns\":{\"a\":{\"path\":\"$.a\",\"zone\":\"Mars/Base\"}}}",
      "Mars/Base"
    ),
    (
      "{\"url\":\"http://x/\",\"columns\":{\"a\":{\"path\":\"$.a\",\"format\":\"epoch\\u0020s\"}}}",
      "epoch_s"
    ),
    (
      "{\"url\":\"http://x/\",\"paginate\":{\"page\":{\"param\":\"p\"},\"offset\":{\"param\":\"o\"}}}",
      "exactly one"
    ),
    ("{\"url\":\"http://x/\",\"paginate\":{\"cursor\":{\"from\":\"$.n\"}}}", "needs “param”"),
    (
      "{\"url\":\"http://x/\",\"paginate\":{\"page\":{\"param\":\"p\"},\"stop_when\":\"page >\"}}",
      "stop_when"
    ),
    ("{\"url\":\"http://x/\",\"auth\":{\"bearer\":\"x\",\"netrc\":true}}", "exactly one"),
    ("{\"url\":\"http://x/\",\"errors\":[{\"do\":\"skip\"}]}", "needs “status” or “body”"),
    ("{\"url\":\"http://x/\",\"errors\":[{\"status\":\"4x\",\"do\":\"skip\"}]}", "4xx"),
    ("{\"url\":\"http://x/\",\"for_each\":{\"a\":{\"source\":\"s\"}}}", "column"),
    ("{\"url\":\"http://x/\",\"format\":\"csv\",\"records\":\"$[*]\"}", "each row is a record"),
  ])
  func mistakesAreFoundBeforeARun(_ source: String, _ words: String) throws {
    var diagnostics = Diagnostics()
    _ = try provider(source, &diagnostics)
    #expect(diagnostics.hasErrors)
    #expect(
      diagnostics.all.contains { $0.rendered.contains(words) }, "\(diagnostics.all.map(\.rendered))"
    )
  }

  @Test func plansNameTheRequests() throws {
    var diagnostics = Diagnostics()
    let source = try provider(
      "{\"url\":\"http://api.test/{k}/{p}\",\"for_each\":{\"k\":[\"a\",\"b\"],\"p\":{\"source\":\"s\",\"column\":\"c\"}},\"paginate\":{\"page\":{\"param\":\"page\"}}}",
      &diagnostics)
    let context = ProviderContext(
      source: "s", http: Self.api(""), log: .silent, jobs: 1, emit: { _ in })
    #expect(
      try source.plannedRequests(context).map(\.url.description)
        == ["http://api.test/a/%7Bp%7D?page=1", "http://api.test/b/%7Bp%7D?page=1"])
  }
}
