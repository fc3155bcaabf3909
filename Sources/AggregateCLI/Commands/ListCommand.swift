import AggregateConfig
import AggregateCore
import AggregateExpressions
import AggregateFormats
import AggregateRun

/// `aggregate list KIND`.
enum ListCommand: Command {
  static let name = "list"
  static let summary = "lists sources, pipelines, providers, stages, formats or functions"
  static let usage = "sources|pipelines|providers|stages|formats|functions [-f json]"
  static let options: [OptionDefinition] = [
    .init("format", "f", .required("json"), "as JSON: [{name, summary}]"),
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("help", "h", .none, "shows this help"),
  ]
  private static let kinds = [
    "sources", "pipelines", "providers", "stages", "formats", "functions",
  ]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard let kind = arguments.words.first, arguments.words.count == 1 else {
      throw AggregateError(
        .configuration, "list takes one of \(kinds.joined(separator: ", "))")
    }
    let format = arguments.value("format") ?? "text"
    guard ["json", "text", "table"].contains(format) else {
      throw AggregateError(.configuration, "list -f takes json, not “\(format)”")
    }
    try Listing.print(try rows(kind, arguments, program), json: format == "json")
    return 0
  }

  private static func rows(
    _ kind: String, _ arguments: ParsedArguments, _ program: Program
  ) throws -> [(name: String, summary: String)] {
    switch kind {
    case "sources":
      let console = Entry.console(arguments)
      let (configuration, _) = try ConfigurationAccess.load(arguments, program, console)
      return configuration.sources.map { source in
        let text = source.options.description ?? "provider \(source.provider?.spec.name ?? "?")"
        return (source.name, console.redactor.redact(text))
      }
    case "pipelines":
      let console = Entry.console(arguments)
      let (configuration, _) = try ConfigurationAccess.load(arguments, program, console)
      return configuration.pipelines.map { pipeline in
        let text =
          pipeline.description
          ?? "merges \(pipeline.merge.map(\.text).joined(separator: ", "))"
        return (pipeline.name, console.redactor.redact(text))
      }
    case "providers": return program.providers.providers.map { ($0.spec.name, $0.spec.summary) }
    case "stages": return program.stages.stages.map { ($0.spec.name, $0.spec.summary) }
    case "formats": return OutputFactory.registry.formats.map { ($0.name, $0.summary) }
    case "functions": return FunctionCatalogue.all.map { ($0.name, $0.summary) }
    default:
      throw AggregateError(
        .configuration, "there is nothing called “\(kind)” to list",
        hint: Suggestions.hint(for: kind, in: kinds))
    }
  }
}
