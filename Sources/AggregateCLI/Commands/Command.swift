import AggregateCore

/// One subcommand.
protocol Command: Sendable {
  /// The word that calls it.
  static var name: String { get }
  /// What it does, in one line.
  static var summary: String { get }
  /// What stands behind the word, for help: `[NAME...] [options]`.
  static var usage: String { get }
  /// Its options.
  static var options: [OptionDefinition] { get }
  /// Some lines of help below the usage.
  static var discussion: String { get }

  /// Whether help and completions leave it out: a tool for those who work on the program.
  static var isHidden: Bool { get }

  /// Runs it.
  ///
  /// - Returns: The exit code.
  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32
}

extension Command {
  static var discussion: String { "" }
  static var isHidden: Bool { false }
  static var options: [OptionDefinition] { [] }
}
