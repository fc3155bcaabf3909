import AggregateConfig
import AggregateCore

/// `aggregate run --shard FILE`: runs the shards of a file, one JSON line each.
///
/// The rows are those of the sources, in the order of the lines; several sources are merged as usual.
struct ShardRun {
  private let lines: [ShardLine]
  private let options: RunOptions
  private let console: Console
  private let program: Program

  /// - Parameter path: The file; `-` is standard input.
  /// - Throws: ``AggregateError`` when it can't be read or has lines that are no shards.
  init(path: String, _ options: RunOptions, _ console: Console, _ program: Program) throws {
    let text = try TextFile.read(path == "-" ? "/dev/stdin" : path)
    let name = path == "-" ? "<stdin>" : path
    lines = try text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
      .filter { !$0.element.allSatisfy(\.isWhitespace) }
      .map { try ShardLine($0.element, at: "\(name):\($0.offset + 1)") }
    self.options = options
    self.console = console
    self.program = program
  }

  /// Runs them.
  func run(start: ContinuousClock.Instant) async throws -> Int32 {
    // An executor may get no lines: that is a run without rows.
    guard !lines.isEmpty else { return 0 }
    let arguments = options.arguments
    let (loaded, loader) = try ConfigurationAccess.load(arguments, program, console)
    var names: [String] = []
    for line in lines where !names.contains(line.source) { names.append(line.source) }
    let targets = try names.map { name in
      guard loaded.source(name) != nil else {
        throw AggregateError(
          .configuration, "there is no source “\(name)”",
          hint: Suggestions.hint(for: name, in: loaded.sources.map(\.name)))
      }
      return RunCommand.Target(sources: [name], pipeline: nil)
    }
    let configuration = try ConfigurationAccess.override(loaded, loader, arguments, names)
    try ConfigurationAccess.throwIfUnresolved(configuration, targets)
    let session = try RunSession(
      program, options, console, Entry.log(arguments, console), configuration: configuration)
    var sources: [RowSource] = []
    for name in names {
      let parts = try lines.filter { $0.source == name }.map { line in
        try session.source(declaration(line, configuration, loader))
      }
      sources.append(try .joined(name, parts, runner: session.runner))
    }
    let whole =
      try sources.count == 1
      ? sources[0] : .merged(names.joined(separator: "+"), sources, runner: session.runner)
    let policy =
      names.compactMap { configuration.source($0) }
      .map(\.options.onNewColumn).first { $0 != .error } ?? .error
    return try await RunExecution(
      session: session, source: whole.appending(try RunExecution.stages(options, program)),
      output: try OutputFactory(options, policy: policy, stream: names[0]), start: start
    ).run()
  }

  private func declaration(
    _ line: ShardLine, _ configuration: Configuration, _ loader: ConfigurationLoader
  ) throws -> SourceDeclaration {
    let (result, diagnostics) = loader.overriding(
      line.shard.settings.map { (key: $0.name, value: $0.json) }, sources: [line.source],
      in: configuration)
    try diagnostics.throwIfErrors()
    guard let declaration = result.source(line.source) else {
      throw AggregateError(.configuration, "there is no source “\(line.source)”")
    }
    return declaration
  }
}
