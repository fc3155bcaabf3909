import AggregateConfig
import AggregateCore
import AggregateRun

/// `aggregate shards NAME --count N`.
enum ShardsCommand: Command {
  static let name = "shards"
  static let summary = "divides a source into parts for several machines"
  static let usage = "NAME --count N"
  static let options: [OptionDefinition] =
    [.init("count", "n", .required("N"), "how many parts at most")]
    + RunOptions.definitions.filter {
      [
        "config", "param", "errors", "quiet", "verbose", "color", "strict", "jobs", "timeout",
        "record", "replay", "offline", "refresh", "no-cache", "help",
      ].contains($0.name)
    }
  static let discussion = """
    Writes one line of JSON for each part: values of for_each, files, places, names or ranges of a list.
    “aggregate run --shard -” runs the lines that it reads, on any machine with the same sources.yaml:

      aggregate shards prices --count 8 | parallel --pipe -N1 aggregate run --shard - -f ndjson

    Values that come from another source are asked for now. A source that can't be divided is one part.
    """

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard arguments.words.count == 1, let name = arguments.words.first else {
      throw AggregateError(.configuration, "shards takes one source: \(usage)")
    }
    guard let count = try RunOptions.number("count", arguments, 1...100_000) else {
      throw AggregateError(
        .configuration, "shards needs --count", hint: "how many parts: --count 8")
    }
    let options = try RunOptions(arguments)
    let console = Entry.console(arguments)
    let (loaded, loader) = try ConfigurationAccess.load(arguments, program, console)
    let target = try RunCommand.target(name, in: loaded, program)
    guard target.pipeline == nil else {
      throw AggregateError(
        .configuration, "“\(name)” is a pipeline; its sources can be divided",
        hint: target.sources.joined(separator: ", "))
    }
    let configuration = try loaded.setting(
      options.settings.parameters, of: [name], with: loader)
    try configuration.throwIfUnresolved([target])
    let context = Entry.context(options, program, console)
    let session = try RunSession(context, configuration: configuration)
    guard let declaration = configuration.source(name) else { return 2 }
    let shards = try await session.shards(declaration, count: count)
    try session.finish()
    if shards == [.whole], count > 1 {
      context.log.note("\(name): there is nothing to divide; it is one part")
    }
    var text = ""
    for (index, shard) in shards.enumerated() {
      text += ShardLine(source: name, shard: shard).text(number: index + 1, of: shards.count) + "\n"
    }
    try Listing.print(text)
    return 0
  }
}
