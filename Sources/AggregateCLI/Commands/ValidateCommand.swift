import AggregateConfig
import AggregateCore

/// `aggregate validate [FILE...]`.
enum ValidateCommand: Command {
  static let name = "validate"
  static let summary = "checks sources.yaml and reports every mistake"
  static let usage = "[FILE...]"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "the file to check"),
    .init("strict", nil, .none, "warnings are errors"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("quiet", "q", .none, "errors only"),
    .init("color", nil, .required("WHEN"), "auto, always or never"),
    .init("help", "h", .none, "shows this help"),
  ]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let console = Entry.console(arguments)
    var files = arguments.words
    if files.isEmpty { files = [try ConfigurationAccess.path(arguments)] }
    var failed = false
    for file in files {
      let loader = ConfigurationLoader(
        providers: program.providers, stages: program.stages, redactor: console.redactor)
      let (configuration, found) = loader.load(path: file)
      var diagnostics = found
      diagnostics.add(contentsOf: configuration.unresolved)
      for diagnostic in diagnostics.sorted
      where diagnostic.severity == .error || !arguments.has("quiet") {
        console.diagnostic(diagnostic)
      }
      let isBad =
        diagnostics.hasErrors || (arguments.has("strict") && !diagnostics.all.isEmpty)
      failed = failed || isBad
      if !isBad && !arguments.has("quiet") && !console.isJSON {
        let sources = configuration.sources.count
        console.line("\(file): good (\(sources) source\(sources == 1 ? "" : "s"))")
      }
    }
    return failed ? 2 : 0
  }
}
