import AggregateConfig
import AggregateCore
import AggregateExpressions
import AggregateFormats
import AggregateRun

/// `aggregate show KIND NAME`.
enum ShowCommand: Command {
  static let name = "show"
  static let summary = "shows the reference page of a provider, stage, format, function or source"
  static let usage = "provider|stage|format|function|source NAME"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("help", "h", .none, "shows this help"),
  ]
  private static let kinds = ["provider", "stage", "format", "function", "source"]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard arguments.words.count == 2 else {
      throw AggregateError(.configuration, "show takes a kind and a name: \(usage)")
    }
    let (kind, name) = (arguments.words[0], arguments.words[1])
    try Listing.print(try page(kind, name, arguments, program))
    return 0
  }

  private static func page(
    _ kind: String, _ name: String, _ arguments: ParsedArguments, _ program: Program
  ) throws -> String {
    switch kind {
    case "provider":
      guard let type = program.providers[name] else {
        throw unknown(kind, name, program.providers.names)
      }
      return ReferencePage.provider(type.spec)
    case "stage":
      guard let type = program.stages[name] else { throw unknown(kind, name, program.stages.names) }
      return ReferencePage.stage(type.spec)
    case "format":
      guard let spec = OutputFactory.registry[name] else {
        throw unknown(kind, name, OutputFactory.registry.formats.map(\.name))
      }
      return ReferencePage.format(spec)
    case "function":
      guard let entry = FunctionCatalogue.entry(named: name) else {
        throw unknown(kind, name, FunctionCatalogue.all.flatMap { [$0.name] + $0.aliases })
      }
      return ReferencePage.function(entry)
    case "source":
      let console = Entry.console(arguments)
      let (configuration, _) = try ConfigurationAccess.load(arguments, program, console)
      guard let source = configuration.source(name) else {
        throw unknown(kind, name, configuration.sources.map(\.name))
      }
      return console.redactor.redact(SourcePage.text(source))
    default:
      throw AggregateError(
        .configuration, "there is nothing called “\(kind)” to show",
        hint: Suggestions.hint(for: kind, in: kinds))
    }
  }

  private static func unknown(_ kind: String, _ name: String, _ names: [String]) -> AggregateError {
    AggregateError(
      .configuration, "there is no \(kind) “\(name)”", hint: Suggestions.hint(for: name, in: names))
  }
}
