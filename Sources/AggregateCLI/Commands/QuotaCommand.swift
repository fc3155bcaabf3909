import AggregateConfig
import AggregateCore
import AggregateState

/// `aggregate quota`.
enum QuotaCommand: Command {
  static let name = "quota"
  static let summary = "shows what is used of each quota"
  static let usage = "[SOURCE...] [-f json]"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("format", "f", .required("json"), "as JSON: [{source, used, quota, left, frees}]"),
    .init("errors", nil, .required("json"), "diagnostics as JSON lines"),
    .init("quiet", "q", .none, "errors only"),
    .init("strict", nil, .none, "warnings of the configuration are errors"),
    .init("color", nil, .required("WHEN"), "auto, always or never"),
    .init("help", "h", .none, "shows this help"),
  ]
  static let discussion = """
    A quota (quota: 100/day) counts the requests of all runs of a source in the window that ends now.
    """

  /// What is used of one quota.
  struct Row {
    let source: String
    let quota: Quantities.Rate
    let used: Int
    let frees: Instant?

    var left: Int { max(0, quota.count - used) }

    var summary: String {
      "\(used) of \(quota.count) used in \(QuotaCommand.window(quota.seconds)), \(left) left"
        + (left == 0 ? frees.map { ", next at \($0.iso8601)" } ?? "" : "")
    }

    var json: String {
      "{\"source\":\(EscapedText.quoted(source)),\"used\":\(used),\"quota\":\(quota.count),"
        + "\"seconds\":\(quota.seconds),\"left\":\(left),"
        + "\"frees\":\(frees.map { EscapedText.quoted($0.iso8601) } ?? "null")}"
    }
  }

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    let format = arguments.value("format") ?? "text"
    guard ["json", "text"].contains(format) else {
      throw AggregateError(.configuration, "quota -f takes json, not “\(format)”")
    }
    let console = Entry.console(arguments)
    let (configuration, _) = try ConfigurationAccess.load(arguments, program, console)
    for name in arguments.words where configuration.source(name) == nil {
      throw AggregateError(
        .configuration, "there is no source “\(name)”",
        hint: Suggestions.hint(for: name, in: configuration.sources.map(\.name)))
    }
    let rows = try rows(configuration).filter {
      arguments.words.isEmpty || arguments.words.contains($0.source)
    }
    if format == "json" {
      let text = "[" + rows.map(\.json).joined(separator: ",\n ") + "]\n"
      try Listing.print(console.redactor.redact(text))
    } else if rows.isEmpty {
      try Listing.print("no source has a quota\n")
    } else {
      try Listing.print(
        rows.map { ($0.source, console.redactor.redact($0.summary)) }, json: false)
    }
    return 0
  }

  /// The quotas that are declared, and those of earlier runs that are no longer.
  static func rows(_ configuration: Configuration) throws -> [Row] {
    let path = StateFolder.state(ConfigurationLoader.processEnvironment) + "/state.db"
    let scope = StateScope.path(of: configuration.path)
    let database = FileInputs.exists(path) ? StateDatabase(path: path) : nil
    let stored = try database?.quotas(config: scope) ?? []
    return try configuration.sources.compactMap { source in
      var found = stored.first { $0.scope.source == source.name }
      guard let quota = source.options.quota ?? found?.quota else { return nil }
      if quota != found?.quota {
        // What counts is the window that is declared now, not that of the runs before.
        found = try database?.usage(
          of: StateScope(config: scope, source: source.name), quota: quota)
      }
      return Row(
        source: source.name, quota: quota, used: found?.used ?? 0, frees: found?.frees)
    }
  }

  /// A time as quotas are written: `a day`, `2 h`.
  static func window(_ seconds: Int) -> String {
    switch seconds {
    case 1: "a second"
    case 60: "a minute"
    case 3600: "an hour"
    case 86_400: "a day"
    case _ where seconds % 86_400 == 0: "\(seconds / 86_400) days"
    case _ where seconds % 3600 == 0: "\(seconds / 3600) h"
    case _ where seconds % 60 == 0: "\(seconds / 60) min"
    default: "\(seconds) s"
    }
  }
}
