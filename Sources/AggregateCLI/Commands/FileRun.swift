import AggregateConfig
import AggregateCore

/// A run over files or standard input instead of declared sources.
enum FileRun {
  /// Runs stages over files, or over standard input when there are none.
  static func run(
    _ files: [String], stages: [any Stage], _ options: RunOptions, _ console: Console,
    _ program: Program, start: ContinuousClock.Instant
  ) async throws -> Int32 {
    if let name = options.arguments.value("source") {
      throw AggregateError(
        .configuration, "this command reads files or standard input, not the source “\(name)”",
        hint: "aggregate run \(name) takes the stages as options: --where, --sort, --stage …")
    }
    let log = Entry.log(options.arguments, console)
    // A stage may name a declared source; without a configuration there simply are none.
    var configuration: Configuration?
    if stages.contains(where: { !$0.sideInputs.isEmpty }),
      let path = try? ConfigurationAccess.path(options.arguments)
    {
      let loader = ConfigurationLoader(
        providers: program.providers, stages: program.stages, redactor: console.redactor)
      let (loaded, diagnostics) = loader.load(path: path)
      if !diagnostics.hasErrors { configuration = loaded }
    }
    let session = try RunSession(program, options, console, log, configuration: configuration)
    let source = FileInputs.source(files, options: options, log: log).appending(stages)
    let output = try OutputFactory(options, policy: .error, stream: source.name)
    return try await RunExecution(session: session, source: source, output: output, start: start)
      .run()
  }
}
