import AggregateCore
import Testing

@testable import AggregateConfig

@Suite struct ConfigurationLoaderTests {
  @Test func aGoodFileIsRead() throws {
    let (configuration, diagnostics) = Loading(["T": "secret"]).load(
      """
      version: 1
      defaults: {timeout: 5s, retry: {attempts: 2, max_wait: 1s}, x: &none {}}
      """.replacing(", x: &none {}", with: "") + "\n"
        + """
        x-shared: &q {a: b}
        sources:
          one: {provider: fake, url: "http://h/{x}", query: *q, retry: {attempts: 7}, params: {x: "1"}}
          two:
            provider: fake
            url: http://h/
            timeout: {connect: 2s, total: 1m}
            cache: off
            rate_limit: 60/min
            quota: 100/day
            max_body: 1MiB
            expect: {min_rows: 1, not_null: id, rules: [id > 0]}
            incremental: {cursor: id, query: since, lag: 1h, key: [id]}
            stages: [{keep: id}]
            on_error: skip
        pipelines:
          both: {merge: [one, two], stages: [{keep: name}], output: {format: csv, path: out.csv}}
        tests:
          - {name: t, run: both, sample: true, expect: {rows: 0, columns: [name]}}
        """)
    #expect(diagnostics.all.map(\.rendered) == [])
    #expect(configuration.sources.map(\.name) == ["one", "two"])
    let one = try #require(configuration.source("one"))
    #expect(one.options.policy.attempts == 7)
    #expect(one.options.policy.maxWait == .seconds(1))
    #expect(one.options.policy.totalTimeout == .seconds(5))
    #expect(one.options.policy.connectTimeout == .seconds(5))
    #expect(one.options.params == ["x": "1"])
    #expect(one.options.cache == .on(ttl: nil, staleIfError: nil))
    let two = try #require(configuration.source("two"))
    #expect(two.options.policy.connectTimeout == .seconds(2))
    #expect(two.options.policy.attempts == 2)
    #expect(two.options.cache == .off)
    #expect(two.options.rateLimit == Quantities.Rate(count: 60, seconds: 60))
    #expect(two.options.policy.maxBody == 1_048_576)
    #expect(two.options.expect?.texts("not_null") == ["id"])
    #expect(two.options.incremental?.lag == .seconds(3600))
    #expect(two.options.onError == .skip)
    #expect(configuration.pipeline("both")?.merge.map(\.text) == ["one", "two"])
    #expect(configuration.pipeline("both")?.output?.text("path") == "out.csv")
    #expect(configuration.tests.first?.expect?.rows == 0)
    var none = Diagnostics()
    #expect(two.makeProvider(&none) is FakeProvider)
    #expect(two.makeStages(from: StageRegistry([KeepStage.self]), &none).count == 1)
    #expect(none.all.isEmpty)
  }

  @Test(arguments: [
    (
      source("limt: 3"),
      "sources.yaml:6:5: error: unknown key “limt” in “items”; did you mean “limit”?"
    ),
    (
      source("max_pagse: 3"),
      "sources.yaml:6:5: error: unknown key “max_pagse” in “items”; did you mean “max_pages”?"
    ),
    (
      "version: 1\nsource: {}\nsources: {}\n",
      "sources.yaml:2:1: error: unknown key “source”; did you mean “sources”?"
    ),
    (
      source("retry: {atempts: 3}"),
      "sources.yaml:6:13: error: unknown key “atempts” in “items.retry”; did you mean “attempts”?"
    ),
    (
      source("max_pages: several"),
      "sources.yaml:6:16: error: “items.max_pages” takes a whole number of at least 1, not “several”"
    ),
    (
      source("on_error: ignore"),
      "sources.yaml:6:15: error: “items.on_error” is “ignore”, but takes one of fail, skip, stale, partial"
    ),
    (
      source("auth: {bearer: x, basic: {user: a, password: b}}"),
      "sources.yaml:6:23: error: “items.auth” takes exactly one of bearer, basic, but has bearer and basic"
    ),
    (
      "version: 1\nsources:\n  items: {provider: fake}\n",
      "sources.yaml:3:3: error: “items”: the key “url” is missing; The address."
    ),
    (
      "version: 1\nsources:\n  items: {url: x}\n",
      "sources.yaml:3:3: error: “items”: the key “provider” is missing; such as “provider: rest”"
    ),
    (
      "version: 1\nsources:\n  items: {provider: fak, url: x}\n",
      "sources.yaml:3:21: error: there is no provider “fak”; did you mean “fake”?"
    ),
    (
      "version: 1\nsources: {a: 5}\n",
      "sources.yaml:2:14: error: the source “a” is “5”, not a mapping; its key “provider” says what reads it"
    ),
    (
      "version: 2\nsources: {}\n",
      "sources.yaml:1:10: error: “version” is “2”, but this program reads version 1"
    ),
    (
      "sources: {}\n",
      "sources.yaml:1:1: error: the key “version” is missing; begin the file with “version: 1”"
    ),
    (
      "- a\n",
      "sources.yaml:1:1: error: the file holds a list, not a mapping; begin with “version: 1” and “sources:”"
    ),
    (
      "",
      "sources.yaml:1:1: error: the file holds nothing, not a mapping; begin with “version: 1” and “sources:”"
    ),
    (
      source("stages: [{keep: nme}]"),
      "sources.yaml:6:21: error: there is no column “nme”; did you mean “name”?"
    ),
    (
      source("stages: [{kep: name}]"),
      "sources.yaml:6:15: error: unknown stage “kep”; did you mean “keep”?"
    ),
    (
      source("stages: [{keep: {column: id, with: othr}}]"),
      "sources.yaml:6:40: error: there is no source “othr”; valid: items"
    ),
    (
      source("parent: itms"),
      "sources.yaml:6:13: error: there is no source “itms”; did you mean “items”?"
    ),
    (
      source("parent: items"),
      "sources.yaml:6:13: error: “items” takes rows from “items”, which needs its rows"
    ),
    (
      source(after: "pipelines: {p: {merge: [itms]}}\n"),
      "sources.yaml:6:25: error: there is no source “itms”; did you mean “items”?"
    ),
    (
      source(after: "pipelines: {p: {merge: items, stages: [{keep: i}]}}\n"),
      "sources.yaml:6:47: error: there is no column “i”; did you mean “id”?"
    ),
    (
      source(after: "tests: [{name: t, run: itms}]\n"),
      "sources.yaml:6:24: error: there is no source or pipeline “itms”; did you mean “items”?"
    ),
    (
      source("columns: {x: {name}}"),
      "sources.yaml:6:18: error: “items.columns.x” takes text, or a mapping with the keys path, not a mapping; text with braces must be quoted: \"{name}\""
    ),
    (
      "version: 1\nsources: {}\ndefaults: {limit: 3}\n",
      "sources.yaml:3:12: error: unknown key “limit” in “defaults”"
    ),
  ])
  func aMistakeIsToldAtItsPlace(_ text: String, _ wanted: String) {
    let found = Loading().mistakes(text)
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix(wanted) == true, "\(found)")
  }

  @Test func allMistakesAreToldInOrder() {
    let found = Loading().mistakes(
      source("limt: 3", "stages: [{keep: nme}]", "max_pages: x", after: "pipelnes: {}\n"))
    #expect(found.map { $0.split(separator: ":")[1] } == ["6", "8", "9"])
  }

  @Test func theLineAndACaretAreShown() {
    let diagnostic = Loading().load(source("limt: 3")).1.all.first
    #expect(diagnostic?.rendered.hasSuffix("\n      limt: 3\n      ^") == true)
  }

  @Test func aVariableThatIsNotSetConcernsItsSourceOnly() throws {
    let text = source("limit: ${NONE}", after: "  other: {provider: fake, url: http://o/}\n")
    let (configuration, diagnostics) = Loading().load(text)
    #expect(diagnostics.all.isEmpty)
    #expect(configuration.unresolved.all.count == 1)
    var found = Diagnostics()
    #expect(configuration.source("other")?.makeProvider(&found) != nil)
    #expect(found.all.isEmpty)
    #expect(configuration.source("items")?.makeProvider(&found) == nil)
    #expect(found.all.first?.location?.line == 6)
    #expect(found.all.first?.location?.column == 12)
  }

  @Test func whatAVariableHoldsIsChecked() {
    #expect(Loading(["N": "7"]).mistakes(source("limit: ${N}")).isEmpty)
    let found = Loading(["N": "seven-secrets"]).mistakes(source("limit: ${N}"))
    #expect(found.count == 1)
    #expect(found.first?.contains("seven") == false)
  }

  @Test func secretsOfOptionsAreRegistered() {
    let loading = Loading()
    _ = loading.load(source("auth: {basic: {user: ann, password: pa55word}}"))
    #expect(loading.redactor.redact("pa55word YW5uOnBhNTV3b3Jk ann") == "*** *** ann")
  }

  @Test func aFileThatIsNotThereIsAMistake() {
    let (configuration, diagnostics) = ConfigurationLoader(
      providers: ProviderRegistry([]), stages: StageRegistry([]), redactor: Redactor()
    ).load(path: "/nowhere/sources.yaml")
    #expect(configuration.sources.isEmpty)
    #expect(diagnostics.all.first?.message.contains("/nowhere/sources.yaml") == true)
  }
}
