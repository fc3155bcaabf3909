import AggregateConfig
import AggregateCore
import AggregateRun

/// `aggregate test [NAME...]`.
enum TestCommand: Command {
  static let name = "test"
  static let summary = "runs the tests of sources.yaml, offline"
  static let usage = "[NAME...]"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("strict", nil, .none, "warnings of the configuration are errors"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("quiet", "q", .none, "prints failed tests only"),
    .init("color", nil, .required("WHEN"), "auto, always or never"),
    .init("help", "h", .none, "shows this help"),
  ]
  static let discussion = """
    A test runs a source or pipeline over a recording (replay: FILE.har) or the provider's samples
    (sample: true) and compares rows, columns, csv, contains and exit. NAME is a test, or a source or
    pipeline for all of its tests. Nothing is asked of the network, and state, cache and quota stay as
    they are; variables that are not set need no values. The exit code is 5 when a test fails.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let console = Entry.console(arguments)
    let path = try ConfigurationAccess.path(arguments)
    let bytes = try TextFile.bytes(path)
    let loader = ConfigurationLoader(
      providers: program.providers, stages: program.stages, redactor: console.redactor,
      environment: UnsetVariables.filled(
        ConfigurationLoader.processEnvironment, for: String(decoding: bytes, as: UTF8.self)))
    let (configuration, diagnostics) = loader.load(bytes, path: path)
    try ConfigurationAccess.report(diagnostics, arguments, console)
    let tests = try selected(arguments.words, configuration)
    if tests.isEmpty { console.line("\(path) declares no tests") }
    var failed = 0
    for test in tests {
      let mistakes = await TestRun(
        test, in: configuration, loader, stages: program.stages, redactor: console.redactor
      ).run()
      try Task.checkCancellation()
      if !mistakes.isEmpty { failed += 1 }
      if mistakes.isEmpty && arguments.has("quiet") { continue }
      let line =
        mistakes.isEmpty
        ? "passed  \(test.name)\n" : "failed  \(test.name): \(mistakes.joined(separator: "; "))\n"
      try Listing.print(console.redactor.redact(line))
    }
    if !tests.isEmpty, !arguments.has("quiet"), !console.isJSON {
      console.line("\(tests.count - failed) passed, \(failed) failed")
    }
    return failed == 0 ? 0 : AggregateError.Code.expectation.exit
  }

  /// The tests of these names, or of the sources of these names, in the order declared; all without names.
  private static func selected(
    _ names: [String], _ configuration: Configuration
  ) throws -> [TestDeclaration] {
    if names.isEmpty { return configuration.tests }
    func matches(_ test: TestDeclaration, _ name: String) -> Bool {
      test.name == name || test.run?.text == name
    }
    for name in names {
      if configuration.tests.contains(where: { matches($0, name) }) { continue }
      let known = configuration.source(name) != nil || configuration.pipeline(name) != nil
      throw AggregateError(
        .configuration,
        known ? "“\(name)” has no tests" : "there is no test, source or pipeline “\(name)”",
        hint: Suggestions.hint(
          for: name, in: configuration.tests.flatMap { [$0.name, $0.run?.text ?? $0.name] }))
    }
    return configuration.tests.filter { test in names.contains { matches(test, $0) } }
  }
}
