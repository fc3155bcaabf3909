import AggregateConfig
import AggregateCore

/// Reading sources.yaml for a command.
enum ConfigurationAccess {
  /// The configuration that the options name, with all its mistakes told.
  ///
  /// - Throws: ``DiagnosticsError`` when there are any; ``AggregateError`` when there is no file.
  static func load(
    _ arguments: ParsedArguments, _ program: Program, _ console: Console
  ) throws -> (Configuration, ConfigurationLoader) {
    let path = try path(arguments)
    let loader = ConfigurationLoader(
      providers: program.providers, stages: program.stages, redactor: console.redactor)
    let (configuration, diagnostics) = loader.load(path: path)
    try report(diagnostics, arguments, console)
    return (configuration, loader)
  }

  /// The file to read.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is none.
  static func path(_ arguments: ParsedArguments) throws -> String {
    try ConfigurationFile.find(
      given: arguments.value("config"), environment: ConfigurationLoader.processEnvironment)
  }

  /// Tells warnings; throws when there are errors, or with `--strict` warnings.
  static func report(
    _ diagnostics: Diagnostics, _ arguments: ParsedArguments, _ console: Console
  ) throws {
    try diagnostics.throwIfErrors()
    if arguments.has("strict"), !diagnostics.all.isEmpty {
      throw DiagnosticsError(diagnostics.sorted)
    }
    if !arguments.has("quiet") {
      for diagnostic in diagnostics.sorted { console.diagnostic(diagnostic) }
    }
  }

  /// The configuration with `-p KEY=VALUE` applied to the sources of a run.
  static func override(
    _ configuration: Configuration, _ loader: ConfigurationLoader, _ arguments: ParsedArguments,
    _ names: [String]
  ) throws -> Configuration {
    let values = try arguments.values("param").map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw AggregateError(.configuration, "-p takes KEY=VALUE, not “\(text)”")
      }
      return (key: String(parts[0]), value: String(parts[1]))
    }
    let (result, diagnostics) = loader.overriding(values, sources: names, in: configuration)
    try diagnostics.throwIfErrors()
    return result
  }

  /// Throws what is missing for what is going to run, such as variables that are not set.
  static func throwIfUnresolved(
    _ configuration: Configuration, _ targets: [RunCommand.Target]
  ) throws {
    var diagnostics = Diagnostics()
    for target in targets {
      if let pipeline = target.pipeline { diagnostics.add(contentsOf: pipeline.unresolved) }
      for name in target.sources {
        if let source = configuration.source(name) {
          diagnostics.add(contentsOf: source.unresolved)
        }
      }
    }
    try diagnostics.throwIfErrors()
  }
}
