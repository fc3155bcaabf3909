import AggregateConfig
import AggregateCore

/// `aggregate [run] [NAME...]`.
enum RunCommand: Command {
  static let name = "run"
  static let summary = "runs sources and pipelines (the default command)"
  static let usage = "[NAME...] [options]"
  static let options = RunOptions.definitions
  static let discussion = """
    NAME is a source or a pipeline of sources.yaml; several are merged in the order given, with a column
    _source. The shorthand stages are applied in the order written.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let start = ContinuousClock.now
    let options = try RunOptions(arguments)
    let console = Entry.console(arguments)
    let names = arguments.wordsAndValues(of: "source")
    if let shards = arguments.value("shard") {
      guard names.isEmpty else {
        throw AggregateError(
          .configuration,
          "--shard says itself which sources are run, but “\(names[0])” is named, too")
      }
      return try await ShardRun(path: shards, options, console, program).run(start: start)
    }
    guard !names.isEmpty else {
      throw AggregateError(
        .configuration, "no source is named", hint: "aggregate list sources shows what there is")
    }
    try throwIfMisspelt(names, arguments, program)
    let (configuration, loader) = try ConfigurationAccess.load(arguments, program, console)
    let prepared = try PreparedRun(
      names, options, configuration, loader, program, console, Entry.log(arguments, console))
    return try await RunExecution(
      session: prepared.session, source: prepared.source, output: prepared.output, start: start
    ).run()
  }

  /// Without a sources.yaml, a word that is nearly a command is most likely meant as one.
  private static func throwIfMisspelt(
    _ names: [String], _ arguments: ParsedArguments, _ program: Program
  ) throws {
    let words = program.commands.map { $0.name } + program.stages.names
    guard let word = arguments.words.first, (try? ConfigurationAccess.path(arguments)) == nil,
      let near = Suggestions.nearest(to: word, in: words).first
    else { return }
    throw AggregateError(
      .configuration,
      "there is no command “\(word)”, and no sources.yaml with a source of that name",
      hint: "did you mean “\(near)”?")
  }

  /// What a name stands for.
  struct Target {
    let sources: [String]
    let pipeline: PipelineDeclaration?
  }

  static func target(
    _ name: String, in configuration: Configuration, _ program: Program
  ) throws -> Target {
    if let pipeline = configuration.pipeline(name) {
      return Target(sources: pipeline.merge.map(\.text), pipeline: pipeline)
    }
    if configuration.source(name) != nil { return Target(sources: [name], pipeline: nil) }
    let names = configuration.sources.map(\.name) + configuration.pipelines.map(\.name)
    let words = program.commands.map { $0.name } + program.stages.names
    if words.contains(name) {
      throw AggregateError(
        .configuration, "there is no source or pipeline “\(name)”",
        hint: "the command \(name) comes first: aggregate \(name) …")
    }
    throw AggregateError(
      .configuration, "there is no source, pipeline or command “\(name)”",
      hint: Suggestions.nearest(to: name, in: names + words).first.map { "did you mean “\($0)”?" }
        ?? "\(configuration.path) has \(names.joined(separator: ", "))")
  }
}
