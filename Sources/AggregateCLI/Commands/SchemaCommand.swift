import AggregateConfig
import AggregateCore

/// `aggregate schema`.
enum SchemaCommand: Command {
  static let name = "schema"
  static let summary = "prints the JSON Schema of sources.yaml, for editors"
  static let usage = ""

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    try Listing.print(JSONSchema.text(providers: program.providers, stages: program.stages))
    return 0
  }
}
