import AggregateConfig
import AggregateCore
import AggregateTransport

/// `aggregate cache stats|clear`.
enum CacheCommand: Command {
  static let name = "cache"
  static let summary = "shows or empties the cache of answers"
  static let usage = "stats|clear [options]"
  static let options: [OptionDefinition] = [
    .init("format", "f", .required("NAME"), "json for one JSON object, else text"),
    .init("help", "h", .none, "shows this help"),
  ]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard arguments.words.count <= 1 else {
      throw AggregateError(.configuration, "cache takes one word: stats or clear")
    }
    let store = CacheStore(environment: ConfigurationLoader.processEnvironment)
    switch arguments.words.first {
    case "stats": try Listing.print(stats(store, isJSON: arguments.value("format") == "json"))
    case "clear":
      let count = try store.clear()
      Entry.console(arguments).line("forgot \(count) \(count == 1 ? "answer" : "answers")")
    case let word:
      throw AggregateError(
        .configuration, word.map { "cache can't “\($0)”" } ?? "cache needs a word",
        hint: word.flatMap { Suggestions.nearest(to: $0, in: ["stats", "clear"]).first }
          .map { "did you mean “\($0)”?" } ?? "aggregate cache stats, aggregate cache clear")
    }
    return 0
  }

  private static func stats(_ store: CacheStore, isJSON: Bool) throws -> String {
    let found = try store.statistics()
    let oldest = found.oldest?.iso8601
    if isJSON {
      return "{\"path\":\(EscapedText.quoted(store.path)),\"answers\":\(found.entries),"
        + "\"bytes\":\(found.bytes),\"oldest\":\(oldest.map { "\"\($0)\"" } ?? "null")}\n"
    }
    return """
      answers  \(found.entries)
      bytes    \(found.bytes)
      oldest   \(oldest ?? "-")
      file     \(store.path)

      """
  }
}
