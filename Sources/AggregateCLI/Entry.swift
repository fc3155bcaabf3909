import AggregateCore
import AggregateEarthquakes
import AggregateFile
import AggregateNews
import AggregatePokemon
import AggregateREST
import AggregateStages
import AggregateWeather

/// The program: which providers, stages and commands there are, and which one the words call.
public enum Entry {
  static let program = Program(
    providers: ProviderRegistry([
      PokemonProvider.self, WeatherProvider.self, NewsProvider.self, EarthquakesProvider.self,
      RESTProvider.self, FileProvider.self, StdinProvider.self, CommandProvider.self,
    ]),
    stages: Stages.registry,
    commands: [
      RunCommand.self, ConvertCommand.self, ListCommand.self, ShowCommand.self,
      ValidateCommand.self, PlanCommand.self, TestCommand.self, StateCommand.self,
      CacheCommand.self, QuotaCommand.self, ShardsCommand.self, InferCommand.self,
      SchemaCommand.self, DoctorCommand.self, CompletionsCommand.self,
      VersionCommand.self, DocsCommand.self,
    ])

  /// Runs the program.
  ///
  /// - Parameter arguments: The words behind the program's name.
  /// - Returns: The exit code.
  public static func main(_ arguments: [String]) async -> Int32 {
    SystemFacts.occupyStandardDescriptors()
    let interruption = Interruption()
    do {
      let code = try await interruption.run { try await dispatch(arguments) }
      return interruption.wasRaised && code != 0 ? 130 : code
    } catch {
      if interruption.wasRaised { return AggregateError.Code.interrupted.exit }
      console(options: arguments).error(error)
      return exit(of: error)
    }
  }

  /// The exit code of a run that ends with `error`.
  static func exit(of error: any Error) -> Int32 {
    switch error {
    case let error as AggregateError: error.code.exit
    case is DiagnosticsError: AggregateError.Code.configuration.exit
    case is CancellationError: AggregateError.Code.interrupted.exit
    default: 1
    }
  }

  private static func dispatch(_ arguments: [String]) async throws -> Int32 {
    guard let first = arguments.first else {
      console(options: []).line(Help.program(program))
      return 2
    }
    if first == "help", arguments.count == 2 {
      return try await dispatch([arguments[1], "--help"])
    }
    if first == "--help" || first == "-h" || first == "help" {
      try Listing.print(Help.program(program))
      return 0
    }
    if first == "--version" { return try await call(VersionCommand.self, []) }
    if let command = program.commands.first(where: { $0.name == first }) {
      return try await call(command, Array(arguments.dropFirst()))
    }
    if let stage = program.stages[first] ?? program.stages[first.replacing("-", with: "_")] {
      let parsed = try ParsedArguments(
        Array(arguments.dropFirst()), options: StageCommand.options(stage.spec))
      if parsed.has("help") {
        try Listing.print(Help.stage(stage.spec))
        return 0
      }
      return try await StageCommand.run(stage, parsed, program)
    }
    return try await call(RunCommand.self, arguments)
  }

  private static func call(
    _ command: any Command.Type, _ arguments: [String]
  ) async throws -> Int32 {
    let help = OptionDefinition("help", "h", .none, "shows this help")
    let options = command.options.isEmpty ? [help] : command.options
    let parsed = try ParsedArguments(arguments, options: options)
    if parsed.has("help") {
      try Listing.print(Help.command(command))
      return 0
    }
    return try await command.run(parsed, program)
  }

  private static let redactor = Redactor()
  private static let progress = Console.progressLine()

  /// The console that the options ask for.
  static func console(_ arguments: ParsedArguments) -> Console {
    console(isJSON: arguments.value("errors") == "json", color: arguments.value("color"))
  }

  /// The console for words that could not be parsed.
  private static func console(options words: [String]) -> Console {
    let isJSON =
      words.contains("--errors=json")
      || zip(words, words.dropFirst()).contains { $0 == "--errors" && $1 == "json" }
    return console(isJSON: isJSON, color: nil)
  }

  private static func console(isJSON: Bool, color: String?) -> Console {
    let allowed = SystemFacts.environment("NO_COLOR").map(\.isEmpty) ?? true
    let hasColor =
      switch color {
      case "always": true
      case "never": false
      default: allowed
      }
    return Console(
      redactor: redactor, isJSON: isJSON, hasColor: hasColor, progress: isJSON ? nil : progress)
  }

  /// The log that the options ask for.
  static func log(_ arguments: ParsedArguments, _ console: Console) -> RunLog {
    let level: RunLog.Level =
      arguments.has("quiet") ? .quiet : arguments.has("verbose") ? .verbose : .normal
    return RunLog(level: level, isStrict: arguments.has("strict")) { text in
      guard console.isJSON else { return console.line(text) }
      // Among JSON lines only warnings are of use; what is told for people is left out.
      if text.hasPrefix("warning: ") {
        console.diagnostic(Diagnostic(.warning, "run", String(text.dropFirst(9)), at: nil))
      }
    }
  }
}
