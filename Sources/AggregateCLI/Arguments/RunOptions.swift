import AggregateCore
import AggregateFormats
import AggregateJSON
import AggregateRun
import AggregateStages

/// The options of `run`, `convert` and the stage commands, typed.
struct RunOptions: Sendable {
  /// What was given, in order.
  let arguments: ParsedArguments
  /// What a run is asked to do.
  let settings: RunSettings

  /// Reads the options; every value is checked.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` that says what would be valid;
  ///   ``DiagnosticsError`` for a path that is not well-formed.
  init(_ arguments: ParsedArguments) throws {
    self.arguments = arguments
    var settings = RunSettings()
    settings.jobs = try Self.number("jobs", arguments, 1...1024) ?? settings.jobs
    settings.maxPages = try Self.number("max-pages", arguments, 1...Int.max)
    settings.rowLimit = try Self.number("limit", arguments, 0...Int.max)
    settings.timeout = try Self.parsed("timeout", arguments, .duration, Quantities.duration)
    settings.onError = try Self.parsed(
      "on-error", arguments, .choice(ErrorPolicy.allCases.map(\.rawValue)),
      ErrorPolicy.init(rawValue:))
    settings.input.encoding = try Self.parsed(
      "encoding", arguments, .choice(TextEncoding.allCases.map(\.rawValue)),
      TextEncoding.init(rawValue:))
    settings.maxMemory =
      try Self.parsed("max-memory", arguments, .size, Quantities.size) ?? settings.maxMemory
    if let text = arguments.value("report") {
      guard text == "json" || text.hasPrefix("json:") else {
        throw AggregateError(.configuration, "--report takes json or json:FILE, not “\(text)”")
      }
      settings.report = text == "json" ? .json : .jsonFile(String(text.dropFirst(5)))
    }
    _ = try Self.parsed("color", arguments, .choice(["auto", "always", "never"])) { word in
      ["auto", "always", "never"].contains(word) ? word : nil
    }
    _ = try Self.parsed("errors", arguments, .choice(["json"])) { $0 == "json" ? $0 : nil }
    let uses = ["offline", "refresh", "no-cache"].filter(arguments.has)
    if uses.count > 1 {
      throw AggregateError(
        .configuration, "--\(uses[0]) and --\(uses[1]) contradict each other")
    }
    settings.cache =
      switch uses.first {
      case "offline": .offline
      case "refresh": .refresh
      case "no-cache": .none
      default: .normal
      }
    settings.usesSamples = arguments.has("sample")
    settings.replay = arguments.value("replay")
    settings.record = arguments.value("record")
    settings.hasProvenance = arguments.has("provenance")
    settings.parameters = try Self.parameters(arguments)
    settings.output.path = arguments.value("output")
    settings.output.format = arguments.value("format")
    settings.output.dialect = try Self.dialect(arguments)
    try Self.read(arguments, into: &settings.input, settings)
    let console = Entry.console(arguments)
    settings.output.hasColor = console.hasColor
    settings.tellsEveryFailure = console.isJSON
    self.settings = settings
  }

  /// What `-p KEY=VALUE` sets.
  private static func parameters(
    _ arguments: ParsedArguments
  ) throws -> [(name: String, value: String)] {
    try arguments.values("param").map { text in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw AggregateError(.configuration, "-p takes KEY=VALUE, not “\(text)”")
      }
      return (name: String(parts[0]), value: String(parts[1]))
    }
  }

  /// How standard input and files are read.
  private static func read(
    _ arguments: ParsedArguments, into input: inout InputOptions, _ settings: RunSettings
  ) throws {
    input.format = arguments.value("input-format")
    if let text = arguments.value("records") {
      do {
        input.records = try JSONPath(parsing: text)
      } catch {
        throw DiagnosticsError([
          Diagnostic(
            .error, "syntax", "--records: \(error.message)",
            at: SourceLocation(
              file: "<command line>", line: 1, column: 11 + error.offset,
              text: "--records \(text)"), hint: error.hint)
        ])
      }
    }
    input.dialect = settings.output.dialect
    input.hasDelimiter = arguments.value("delimiter") != nil
    // What is written without a header or with other nulls need not be read so.
    input.dialect.hasHeader = true
    input.skipsMalformed = settings.onError == .skip
  }

  /// The dialect of CSV that the options ask for.
  private static func dialect(_ arguments: ParsedArguments) throws -> CSVDialect {
    var dialect = CSVDialect()
    if let text = arguments.value("delimiter") {
      guard let byte = CSVDialect.delimiter(text) else {
        throw AggregateError(
          .configuration, "--delimiter takes one ASCII character or tab, not “\(text)”")
      }
      dialect.delimiter = byte
    }
    if let text = arguments.value("null") { dialect.nullText = text }
    dialect.listSeparator = arguments.value("list-separator")
    dialect.hasHeader = !arguments.has("no-header")
    dialect.hasByteOrderMark = arguments.has("bom")
    dialect.endsLinesWithCRLF = arguments.has("crlf")
    dialect.guardsFormulas = arguments.has("csv-safe")
    dialect.allowsRaggedRows = arguments.has("ragged")
    return dialect
  }

  /// The stages that the options stand for, in the order written.
  ///
  /// - Parameter taken: Options that mean something else to the command.
  /// - Throws: ``DiagnosticsError`` when one is not well-formed.
  func stages(
    _ registry: StageRegistry, except taken: Set<String> = []
  ) throws -> [any Stage] {
    var diagnostics = Diagnostics()
    var stages: [any Stage] = []
    for option in arguments.options where !taken.contains(option.name) {
      let node: Node?
      if option.name == "stage", let text = option.value {
        node = StageText.node(text, &diagnostics)
      } else {
        node = StageArguments.shorthand(option: option.name, value: option.value)
      }
      if let node, let stage = registry.make(node, &diagnostics) { stages.append(stage) }
    }
    try diagnostics.throwIfErrors()
    return stages
  }

  /// Checks a number that an option takes.
  static func number(
    _ name: String, _ arguments: ParsedArguments, _ range: ClosedRange<Int>
  ) throws -> Int? {
    try parsed(name, arguments, .int(range)) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
  }

  private static func parsed<T>(
    _ name: String, _ arguments: ParsedArguments, _ shape: Shape, _ parse: (String) -> T?
  ) throws -> T? {
    guard let text = arguments.value(name) else { return nil }
    guard let value = parse(text) else {
      throw AggregateError(
        .configuration, "--\(name) takes \(shape.expectation), not “\(text)”")
    }
    return value
  }
}
