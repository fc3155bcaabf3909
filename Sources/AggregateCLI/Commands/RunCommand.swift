import AggregateConfig
import AggregateCore
import AggregateRun

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
    if let path = arguments.value("shard") {
      guard names.isEmpty else {
        throw AggregateError(
          .configuration,
          "--shard says itself which sources are run, but “\(names[0])” is named, too")
      }
      let shards = try ShardRun(path: path)
      guard !shards.isEmpty else { return 0 }
      let (configuration, loader) = try ConfigurationAccess.load(arguments, program, console)
      let prepared = try shards.prepared(
        in: configuration, loader, Entry.context(options, program, console),
        appending: options.stages(program.stages))
      return try await RunExecution(prepared, start: start).run()
    }
    guard !names.isEmpty else {
      throw AggregateError(
        .configuration, "no source is named", hint: "aggregate list sources shows what there is")
    }
    try throwIfMisspelt(names, arguments, program)
    let (configuration, loader) = try ConfigurationAccess.load(arguments, program, console)
    let targets = try names.map { try target($0, in: configuration, program) }
    let prepared = try PreparedRun(
      targets, in: configuration, loader, Entry.context(options, program, console),
      appending: options.stages(program.stages))
    return try await RunExecution(prepared, start: start).run()
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
  ///
  /// - Throws: ``AggregateError`` that takes the words of the program for names, too.
  static func target(
    _ name: String, in configuration: Configuration, _ program: Program
  ) throws -> RunTarget {
    if let target = RunTarget(name, in: configuration) { return target }
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
