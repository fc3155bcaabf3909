import AggregateConfig
import AggregateCore
import AggregateProviders
import AggregateStages
import Testing

@testable import AggregateRun

@Suite struct TestRunTests {
  /// What a test with this expectation finds wrong.
  private func mistakes(_ expect: String, run: String = "replay: run.har") async throws -> [String]
  {
    let sandbox = try Sandbox(
      """
      version: 1
      sources:
        people: {provider: rest, url: http://host/people, records: '$[*]', auth: {bearer: "${KEY}"}}
      tests:
        - name: people are read
          run: people
          \(run)
          expect: \(expect)
      """,
      files: [
        "run.har": try recording([
          (
            "http://host/people",
            "[{\"id\":1,\"name\":\"Ann\",\"at\":{\"x\":1.0}},{\"id\":2,\"name\":null,\"tags\":[1,\"a\"]}]"
          )
        ]),
        "right.csv": "id,name,at.x,tags\r\n1,Ann,1.0,\r\n2,,,\"[1,\"\"a\"\"]\"",
        "wrong.csv": "id,name,at.x,tags\n1,Bob,1.0,\n",
      ])
    let loader = ConfigurationLoader(
      providers: Providers.all, stages: Stages.registry, redactor: Redactor(),
      environment: UnsetVariables.filled([:], for: "${KEY}"))
    let (configuration, diagnostics) = loader.load(path: sandbox.folder + "/sources.yaml")
    try diagnostics.throwIfErrors()
    return await TestRun(
      configuration.tests[0], in: configuration, loader, stages: Stages.registry,
      redactor: sandbox.redactor
    ).run()
  }

  @Test(arguments: [
    "{ rows: 2 }", "{ columns: [id, name, at.x, tags] }", "{ csv: right.csv }",
    "{ contains: [{ id: 1, name: Ann }, { ID: 2.0 }] }", "{ contains: [{ name: null }] }",
    "{ contains: [{ at.x: 1 }] }", "{ contains: [{ at: { x: 1 } }] }",
    "{ contains: [{ tags: [1, a] }] }", "{ exit: 0 }",
  ])
  func whatIsThereIsFound(expect: String) async throws {
    #expect(try await mistakes(expect) == [])
  }

  @Test(arguments: [
    ("{ rows: 3 }", "rows: expected 3, found 2"),
    ("{ columns: [id] }", "columns: expected id, found id, name, at.x, tags"),
    ("{ csv: wrong.csv }", "csv wrong.csv: line 2: expected “1,Bob,1.0,”, found “1,Ann,1.0,”"),
    ("{ contains: [{ name: Eve }] }", "contains: no row of 2 has name=Eve"),
    ("{ contains: [{ id: 1, name: null }] }", "contains: no row of 2 has id=1, name=null"),
    (
      "{ contains: [{ nmae: Ann }] }", "contains: no row of 2 has nmae=Ann; there is no column nmae"
    ),
    ("{ contains: [{ tags: [1] }] }", "contains: no row of 2 has tags=[1]"),
    ("{ exit: 1 }", "exit: expected 1, found 0"),
  ])
  func whatIsMissingIsSaid(expect: String, message: String) async throws {
    #expect(try await mistakes(expect) == [message])
  }

  @Test func severalMistakesAreAllSaid() async throws {
    #expect(try await mistakes("{ rows: 1, columns: [a], csv: none.csv }").count == 3)
  }

  @Test func nothingIsAskedOfTheNetwork() async throws {
    let found = try await mistakes("{ rows: 2 }", run: "sample: false")
    #expect(found.count == 1)
    #expect(found.first?.contains("a test sends no requests") == true)
  }

  @Test func aMissingRecordingIsNamed() async throws {
    #expect(
      try await mistakes("{ rows: 2 }", run: "replay: none.har").first?.contains("none.har") == true
    )
  }

  @Test func linesAreComparedWithoutTheirEnds() {
    #expect(TestRun.difference(expected: "\u{FEFF}a\r\nb\r\n", found: "a\nb") == nil)
    #expect(
      TestRun.difference(expected: "a\n", found: "a\nb\n")
        == "line 2: expected nothing more, found “b”")
  }

  @Test func onlyMissingVariablesGetValues() {
    let filled = UnsetVariables.filled(
      ["A": "1", "E": ""], for: "${A} ${B} $C ${D:-x} ${E:?why} ${file:p} $${F} ${")
    #expect(filled["A"] == "1")
    #expect(filled["B"] == "unset-B")
    #expect(filled["E"] == "unset-E")
    #expect(filled.keys.sorted().filter { $0 != "F" } == ["A", "B", "E"])
  }
}
