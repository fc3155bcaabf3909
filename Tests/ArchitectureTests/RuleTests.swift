import Testing

/// Each rule finds what breaks it in a small project, and nothing where all is well.
@Suite struct RuleTests {
  private static let package = """
    library("AggregateCore", []),
    library("AggregateJSON", ["AggregateCore", "CThing"]),
    .target(name: "AggregateCLI", dependencies: ["AggregateCore"]),
    library("AggregateProviders", ["AggregateCore"]),
    .executableTarget(name: "aggregate", dependencies: ["AggregateCLI", "AggregateProviders"]),
    ProviderPlugin("Fish", samples: ["a.json"]),
    ProviderPlugin("Bird"),
    """

  /// A project in which every rule holds.
  private static let sound = [
    "Package.swift": package, "Scripts/test.sh": "alone='BirdTests|FishTimeTests'\n",
    "Tests/FishTimeTests.swift": "struct FishTimeTests {\n  let start = ContinuousClock.now\n}\n",
    "Sources/AggregateCore/Core.swift": "while true { http.send(request) }\n",
    "Sources/AggregateCore/README.md": "",
    "Sources/AggregateJSON/JSON.swift": "public import AggregateCore\nimport CThing\n",
    "Sources/AggregateJSON/README.md": "",
    "Sources/AggregateCLI/CLI.swift":
      "import AggregateCore\n// FishProvider, print(\nlet text = \"FishProvider\"\n",
    "Sources/AggregateCLI/README.md": "",
    "Sources/CThing/module.modulemap": "", "Sources/CThing/README.md": "",
    "Sources/aggregate/main.swift": "import AggregateCLI\nimport AggregateProviders\nprint(1)\n",
    "Sources/aggregate/README.md": "",
    "Sources/AggregateProviders/Providers.swift": "import AggregateFish\n",
    "Sources/AggregateProviders/README.md": "",
    "Plugins/Fish/Sources/Fish.swift":
      "import AggregateCore\nimport AggregateJSON\nlet a = http.send(request)\n",
    "Plugins/Fish/Tests/FishTests.swift": "@Suite(.corpus(\"fish\"))\n",
    "Plugins/Fish/README.md": "", "Plugins/Fish/sample.yaml": "",
    "Plugins/Bird/Sources/Bird.swift": "",
    "Plugins/Bird/Tests/BirdTests.swift": "", "Plugins/Bird/README.md": "",
    "Plugins/Bird/sample.yaml": "",
  ]

  /// What is wrong when these files are there, or are not there.
  private func reasons(_ rule: Rule, _ changed: [String: String?]) -> [String] {
    var files = Self.sound
    for (path, text) in changed { files[path] = text }
    return rule.findings(SourceTree(files: files)).map { "\($0.place) \($0.reason)" }
  }

  @Test(arguments: Rule.all) func nothingIsFoundWhereAllIsWell(_ rule: Rule) {
    #expect(reasons(rule, [:]) == [])
  }

  @Test(arguments: [
    (
      "Sources/AggregateCore/Core.swift", "internal import AggregateJSON",
      "AggregateCore imports AggregateJSON"
    ),
    (
      "Plugins/Fish/Sources/Fish.swift", "@testable import AggregateBird",
      "AggregateFish imports AggregateBird"
    ),
    (
      "Plugins/Fish/Sources/Fish.swift", "import AggregateCLI", "AggregateFish imports AggregateCLI"
    ),
    (
      "Sources/AggregateNovel/Novel.swift", "", "AggregateNovel is not in the table of this rule"
    ),
  ]) func importsOfWhatIsAbove(path: String, text: String, reason: String) {
    #expect(reasons(.imports, [path: text]) == ["\(path) \(reason)"])
  }

  @Test func importsThatAreNotDeclared() {
    let path = "Sources/AggregateCLI/CLI.swift"
    #expect(
      reasons(.declared, [path: "import AggregateJSON"])
        == ["\(path) AggregateCLI does not declare AggregateJSON"])
  }

  @Test func librariesOfCWithTwoWrappersOrNone() {
    #expect(
      reasons(.wrappers, ["Sources/AggregateCore/C.swift": "import CThing"])
        == ["Sources/CThing AggregateCore, AggregateJSON import it"])
    #expect(
      reasons(.wrappers, ["Sources/AggregateJSON/JSON.swift": ""])
        == ["Sources/CThing nobody imports it"])
  }

  @Test(arguments: [
    ("while more {\n  page = try await http.send(request)\n}", "sends requests beside a loop"),
    ("repeat { a() } while b\nclient.send(request)", "sends requests beside a loop"),
    (
      "for page in pages {\n  if true { }\n  _ = try await context.http.send(page)\n}",
      "sends requests in a loop"
    ),
  ]) func loopsOverPages(text: String, reason: String) {
    let path = "Plugins/Fish/Sources/Fish.swift"
    #expect(reasons(.loops, [path: text]) == ["\(path) \(reason)"])
  }

  @Test func aLoopBesideASingleRequestIsNone() {
    let text = "for place in places {\n  note(place)\n}\nlet a = http.send(request)\n"
    #expect(reasons(.loops, ["Plugins/Fish/Sources/Fish.swift": text]) == [])
  }

  @Test(arguments: [
    ("import AggregateFish", "AggregateFish"), ("[FishProvider.self]", "FishProvider"),
  ])
  func librariesThatNameAProvider(text: String, name: String) {
    let path = "Sources/AggregateCLI/CLI.swift"
    #expect(reasons(.providersUnnamed, [path: text]) == ["\(path) names \(name)"])
  }

  @Test func longFiles() {
    let path = "Sources/AggregateCore/Core.swift"
    let lines = String(repeating: "\n", count: 401)
    #expect(reasons(.length, [path: lines]) == ["\(path) has 401 lines"])
    #expect(reasons(.length, [path: String(lines.dropLast())]) == [])
  }

  @Test(arguments: [
    ("print(1)", "print("), ("x = try! f()", "try!"), ("fatalError()", "fatalError("),
  ])
  func librariesThatPrintOrCrash(text: String, word: String) {
    let path = "Plugins/Fish/Sources/Fish.swift"
    #expect(reasons(.libraries, [path: "{ \(text) }"]) == ["\(path) has \(word)"])
    #expect(reasons(.libraries, [path: "listing.print(1)"]) == [])
  }

  @Test func modulesWithoutAPage() {
    #expect(
      reasons(.readmes, ["Sources/AggregateCore/README.md": nil])
        == ["Sources/AggregateCore has no README.md"])
  }

  @Test(arguments: ["Sources/Fish.swift", "Tests/FishTests.swift", "README.md", "sample.yaml"])
  func providersThatLackAPart(part: String) {
    #expect(reasons(.providerParts, ["Plugins/Fish/\(part)": nil]).count == 1)
  }

  @Test(arguments: ["@Test(.enabled(if: false))", "@Suite(.disabled(\"later\"))"])
  func testsWithConditionsOfTheirOwn(text: String) {
    let path = "Plugins/Fish/Tests/FishTests.swift"
    #expect(reasons(.conditions, [path: text]) == ["\(path) has a condition of its own"])
  }

  @Test(arguments: [
    "ContinuousClock.now", "@Test(.timeLimit(.minutes(1)))", "setenv(name, text, 1)",
  ])
  func testsThatOthersWouldDisturb(text: String) {
    let path = "Plugins/Fish/Tests/FishTests.swift"
    #expect(reasons(.alone, [path: "struct FishTests {\n  \(text)\n}\n"]).count == 1)
    #expect(reasons(.alone, [path: "struct BirdTests {\n  \(text)\n}\n"]).isEmpty)
  }
}
