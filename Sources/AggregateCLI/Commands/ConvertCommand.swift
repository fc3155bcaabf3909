import AggregateCore

/// `aggregate convert [FILE...]`: formats in, format out.
enum ConvertCommand: Command {
  static let name = "convert"
  static let summary = "reads files or stdin and writes another format"
  static let usage = "[FILE...] [options]"
  static let options = RunOptions.definitions
  static let discussion = """
    The input format is that of -i, of the file's extension, or of the first bytes. Several files are one
    stream, columns by name.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let start = ContinuousClock.now
    let options = try RunOptions(arguments)
    let stages = try options.stages(program.stages)
    return try await FileRun.run(
      arguments.words, stages: stages, options, Entry.console(arguments), program, start: start)
  }
}
