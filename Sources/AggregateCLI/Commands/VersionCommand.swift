import AggregateRun

/// `aggregate version`.
enum VersionCommand: Command {
  static let name = "version"
  static let summary = "prints the version"
  static let usage = ""

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    try Listing.print("aggregate \(EngineVersion.text)\n")
    return 0
  }
}
