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
}
