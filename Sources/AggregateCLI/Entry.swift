public import AggregateCore
import AggregateRun

/// The program: which one of its commands the words call.
public enum Entry {
  /// Runs the program.
  ///
  /// - Parameters:
  ///   - arguments: The words behind the program's name.
  ///   - providers: The providers there are.
  /// - Returns: The exit code.
  public static func main(_ arguments: [String], providers: ProviderRegistry) async -> Int32 {
    let program = Program(providers: providers)
    SystemFacts.occupyStandardDescriptors()
    let interruption = Interruption()
    do {
      let code = try await interruption.run { try await dispatch(arguments, program) }
      return interruption.wasRaised && code != 0 ? 130 : code
    } catch {
      if interruption.wasRaised { return AggregateError.Code.interrupted.exit }
      console(options: arguments).error(error)
      return ExitCode.of(error)
    }
  }

  private static func dispatch(
    _ arguments: [String], _ program: Program
  ) async throws -> Int32 {
    guard let first = arguments.first else {
      console(options: []).line(Help.program(program))
      return 2
    }
    if first == "help", arguments.count == 2 {
      return try await dispatch([arguments[1], "--help"], program)
    }
    if first == "--help" || first == "-h" || first == "help" {
      try Listing.print(Help.program(program))
      return 0
    }
    if first == "--version" { return try await call(VersionCommand.self, [], program) }
    if let command = program.commands.first(where: { $0.name == first }) {
      return try await call(command, Array(arguments.dropFirst()), program)
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
    return try await call(RunCommand.self, arguments, program)
  }

  private static func call(
    _ command: any Command.Type, _ arguments: [String], _ program: Program
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
    return RunLog(level: level, isStrict: arguments.has("strict")) { event in
      guard console.isJSON else { return console.line("\(event)") }
      // Among JSON lines only warnings are of use; what is told for people is left out.
      if event.kind == .warning {
        console.diagnostic(Diagnostic(.warning, "run", event.message, at: nil))
      }
    }
  }

  /// What a run with these options is given.
  static func context(
    _ options: RunOptions, _ program: Program, _ console: Console
  ) -> RunContext {
    RunContext(
      options.settings, stages: program.stages, log: log(options.arguments, console),
      redactor: console.redactor, observer: console)
  }
}
