import AggregateConfig
import AggregateCore
import AggregateRun

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
    let context = Entry.context(options, program, console)
    let session = try RunSession(context, configuration: configuration)
    let source = FileInputs.source(files, options.settings, log: context.log).appending(stages)
    let output = OutputFactory(options.settings.output, policy: .error, stream: source.name)
    let prepared = PreparedRun(session: session, source: source, output: output)
    return try await RunExecution(prepared, start: start).run()
  }
}
