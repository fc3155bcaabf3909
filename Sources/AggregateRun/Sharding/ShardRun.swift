package import AggregateConfig
package import AggregateCore

/// `aggregate run --shard FILE`: runs the shards of a file, one JSON line each.
///
/// The rows are those of the sources, in the order of the lines; several sources are merged as usual.
package struct ShardRun {
  private let lines: [ShardLine]

  /// - Parameter path: The file; `-` is standard input.
  /// - Throws: ``AggregateError`` when it can't be read or has lines that are no shards.
  package init(path: String) throws {
    let text = try TextFile.read(path == "-" ? "/dev/stdin" : path)
    let name = path == "-" ? "<stdin>" : path
    lines = try text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
      .filter { !$0.element.allSatisfy(\.isWhitespace) }
      .map { try ShardLine($0.element, at: "\(name):\($0.offset + 1)") }
  }

  /// Whether there are no lines, as an executor may get: that is a run without rows.
  package var isEmpty: Bool { lines.isEmpty }

  /// Prepares the run; there must be lines.
  ///
  /// - Throws: ``AggregateError`` or ``DiagnosticsError`` for what is wrong before data flows.
  package func prepared(
    in loaded: Configuration, _ loader: ConfigurationLoader, _ context: RunContext,
    appending stages: [any Stage]
  ) throws -> PreparedRun {
    var names: [String] = []
    for line in lines where !names.contains(line.source) { names.append(line.source) }
    let targets = try names.map { name in
      guard loaded.source(name) != nil, let target = RunTarget(name, in: loaded) else {
        throw AggregateError(
          .configuration, "there is no source “\(name)”",
          hint: Suggestions.hint(for: name, in: loaded.sources.map(\.name)))
      }
      return target
    }
    let configuration = try loaded.setting(
      context.settings.parameters, of: names, with: loader)
    try configuration.throwIfUnresolved(targets)
    let session = try RunSession(context, configuration: configuration)
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
    return PreparedRun(
      session: session, source: whole.appending(stages),
      output: OutputFactory(context.settings.output, policy: policy, stream: names[0]))
  }

  private func declaration(
    _ line: ShardLine, _ configuration: Configuration, _ loader: ConfigurationLoader
  ) throws -> SourceDeclaration {
    let settings = line.shard.settings.map { (name: $0.name, value: $0.json) }
    let result = try configuration.setting(settings, of: [line.source], with: loader)
    guard let declaration = result.source(line.source) else {
      throw AggregateError(.configuration, "there is no source “\(line.source)”")
    }
    return declaration
  }
}
