import AggregateCore
import AggregateStages

/// `aggregate STAGE [args] [FILE...]`: one stage over stdin or files.
enum StageCommand {
  /// The options of a stage as a command: its own, then those of `run` that do not collide with them.
  static func options(_ spec: StageSpec) -> [OptionDefinition] {
    let own = spec.options.map { option in
      OptionDefinition(
        option.name.replacing("_", with: "-"), nil, .required("VALUE"), option.summary,
        group: "Stage")
    }
    return own + RunOptions.definitions.filter { run in !own.contains { $0.name == run.name } }
  }

  /// Runs the stage.
  static func run(
    _ type: any Stage.Type, _ arguments: ParsedArguments, _ program: Program
  ) async throws -> Int32 {
    let start = ContinuousClock.now
    let spec = type.spec
    let options = try RunOptions(arguments)
    let console = Entry.console(arguments)
    let names = Set(spec.options.map { $0.name.replacing("_", with: "-") })
    let given = arguments.options.filter { names.contains($0.name) }
    // A positional that was given as an option takes no word.
    let wanted = spec.positionals.filter { positional in
      !given.contains { $0.name == positional.replacing("_", with: "-") }
    }
    let positionals = Array(arguments.words.prefix(wanted.count))
    var pairs = given.compactMap { option in option.value.map { (name: option.name, value: $0) } }
    let isPlain = wanted.count == spec.positionals.count
    if !isPlain { pairs = zip(wanted, positionals).map { (name: $0, value: $1) } + pairs }
    let node = StageArguments.node(
      for: spec, positionals: isPlain ? positionals : [], options: pairs)
    var diagnostics = Diagnostics()
    let stage = program.stages.make(type, node, &diagnostics)
    try diagnostics.throwIfErrors()
    guard let stage else { return 2 }
    let files = Array(arguments.words.dropFirst(positionals.count))
    let more = try options.stages(program.stages, except: names)
    return try await FileRun.run(
      files, stages: [stage] + more, options, console, program, start: start)
  }
}
