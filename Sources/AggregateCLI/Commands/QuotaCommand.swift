import AggregateConfig
import AggregateCore
import AggregateRun

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
    let rows = try QuotaUsage.all(of: configuration).filter {
      arguments.words.isEmpty || arguments.words.contains($0.source)
    }
    if format == "json" {
      let text = "[" + rows.map(json).joined(separator: ",\n ") + "]\n"
      try Listing.print(console.redactor.redact(text))
    } else if rows.isEmpty {
      try Listing.print("no source has a quota\n")
    } else {
      try Listing.print(
        rows.map { ($0.source, console.redactor.redact(summary($0))) }, json: false)
    }
    return 0
  }

  private static func summary(_ row: QuotaUsage) -> String {
    "\(row.used) of \(row.quota.count) used in \(window(row.quota.seconds)), \(row.left) left"
      + (row.left == 0 ? row.frees.map { ", next at \($0.iso8601)" } ?? "" : "")
  }

  private static func json(_ row: QuotaUsage) -> String {
    "{\"source\":\(EscapedText.quoted(row.source)),\"used\":\(row.used),"
      + "\"quota\":\(row.quota.count),\"seconds\":\(row.quota.seconds),\"left\":\(row.left),"
      + "\"frees\":\(row.frees.map { EscapedText.quoted($0.iso8601) } ?? "null")}"
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
