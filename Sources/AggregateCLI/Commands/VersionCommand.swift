import AggregateCore

/// `aggregate version`.
enum VersionCommand: Command {
  /// The version of this program.
  static let version = "0.1.0"

  static let name = "version"
  static let summary = "prints the version"
  static let usage = ""

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    try Listing.print("aggregate \(version)\n")
    return 0
  }
}
