import AggregateConfig
import AggregateCore
import AggregateRun
import AggregateState

/// `aggregate state list|get|set|reset`: the cursors of incremental sources.
enum StateCommand: Command {
  static let name = "state"
  static let summary = "shows, sets or forgets the cursors of incremental sources"
  static let usage = "list | get NAME | set NAME VALUE | reset NAME... [options]"
  static let options: [OptionDefinition] = [
    .init("config", "c", .required("FILE"), "sources.yaml to use"),
    .init("partition", nil, .required("TEXT"), "only this part of the source, as list shows it"),
    .init("format", "f", .required("NAME"), "json for JSON, else text"),
    .init("help", "h", .none, "shows this help"),
  ]
  static let discussion = """
    A cursor is the largest value that was seen of the column that “incremental” names; the next run asks
    from there. It moves only after a run that read the source to its end. A source that is read for another
    one (“for_each”) has cursors of its own for that, listed as “issues for comments”.
    """

  private static let words = ["list", "get", "set", "reset"]

  static func run(_ arguments: ParsedArguments, _ program: Program) async throws -> Int32 {
    guard let word = arguments.words.first, words.contains(word) else {
      let given = arguments.words.first
      throw AggregateError(
        .configuration, given.map { "state can't “\($0)”" } ?? "state needs a word",
        hint: given.flatMap { Suggestions.nearest(to: $0, in: words).first }
          .map { "did you mean “\($0)”?" } ?? "aggregate state \(usage)")
    }
    let rest = Array(arguments.words.dropFirst())
    let wanted: ClosedRange<Int> =
      switch word {
      case "set": 2...2
      case "get": 1...1
      case "reset": 1...Int.max
      default: 0...Int.max
      }
    guard wanted.contains(rest.count) else {
      throw AggregateError(
        .configuration,
        "state \(word): \(rest.isEmpty ? "the name of a source is missing" : "wrong number of words")",
        hint: "aggregate state \(usage)")
    }
    let path = StateScope.path(of: try ConfigurationAccess.path(arguments))
    let database = StateDatabase(environment: ConfigurationLoader.processEnvironment)
    let isJSON = arguments.value("format") == "json"
    let partition = arguments.value("partition")
    switch word {
    case "list":
      let all = try database.cursors(config: path)
      let shown = rest.isEmpty ? all : all.filter { rest.contains($0.scope.source) }
      try Listing.print(isJSON ? json(shown) : table(shown))
    case "get":
      let found = try database.cursors(config: path).filter {
        $0.scope.source == rest[0] && (partition == nil || $0.partition == partition)
      }
      guard !found.isEmpty else {
        try check(rest, arguments, program)
        throw AggregateError(.rejected, "“\(rest[0])” has no cursor")
      }
      try Listing.print(isJSON ? json(found) : found.map(line).joined())
    case "set":
      let declaration = try check([rest[0]], arguments, program).first
      guard let incremental = declaration?.options.incremental else {
        throw AggregateError(.configuration, "“\(rest[0])” is not incremental")
      }
      let value = IncrementalValue(text: rest[1], format: incremental.format)
      try database.save(
        cursor: value.json, boundary: [], of: StateScope(config: path, source: rest[0]),
        partition: partition ?? "")
      if partition == nil { try setParts(database, path, rest[0], value) }
    default:
      let known = Set(try database.cursors(config: path).map(\.scope.source))
      try check(rest.filter { !known.contains($0) }, arguments, program)
      for name in rest {
        try database.reset(StateScope(config: path, source: name), partition: partition)
        // What it has seen of other sources is to be seen again, too.
        for other in known where partition == nil && CursorOwner.isReader(name, of: other) {
          try database.reset(StateScope(config: path, source: other), partition: nil)
        }
      }
    }
    return 0
  }

  /// Sets the cursors of all parts that have one.
  private static func setParts(
    _ database: StateDatabase, _ path: String, _ name: String, _ value: IncrementalValue
  ) throws {
    for cursor in try database.cursors(config: path)
    where cursor.scope.source == name && !cursor.partition.isEmpty {
      try database.save(
        cursor: value.json, boundary: [], of: cursor.scope, partition: cursor.partition)
    }
  }

  /// The declarations of these sources.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is no such source.
  @discardableResult
  private static func check(
    _ names: [String], _ arguments: ParsedArguments, _ program: Program
  ) throws -> [SourceDeclaration] {
    if names.isEmpty { return [] }
    let (configuration, _) = try ConfigurationAccess.load(
      arguments, program, Entry.console(arguments))
    return try names.map { name in
      guard let declaration = configuration.source(name) else {
        throw AggregateError(
          .configuration, "there is no source “\(name)”",
          hint: Suggestions.hint(for: name, in: configuration.sources.map(\.name)))
      }
      return declaration
    }
  }

  private static func text(_ cursor: StateCursor) -> String {
    IncrementalValue(json: cursor.value).text
  }

  private static func line(_ cursor: StateCursor) -> String {
    (cursor.partition.isEmpty ? "" : "\(cursor.partition)\t") + text(cursor) + "\n"
  }

  private static func table(_ cursors: [StateCursor]) -> String {
    let rows = cursors.map { [$0.scope.source, $0.partition, text($0), $0.updated.iso8601] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { index, cell in
        index == 3 ? cell : cell + String(repeating: " ", count: widths[index] - cell.count + 2)
      }.joined() + "\n"
    }.joined()
  }

  private static func json(_ cursors: [StateCursor]) -> String {
    "["
      + cursors.map { cursor in
        "{\"source\":\(EscapedText.quoted(cursor.scope.source)),"
          + "\"partition\":\(EscapedText.quoted(cursor.partition)),"
          + "\"value\":\(cursor.value),\"updated\":\"\(cursor.updated.iso8601)\"}"
      }.joined(separator: ",\n ") + "]\n"
  }
}
