package import AggregateCore
import AggregateFeeds
package import AggregateFormats
import AggregateSinks

/// Where the rows go and in which form, from the settings of the run or of a pipeline.
package struct OutputFactory {
  /// The formats there are.
  package static let registry = DocumentFormats.registry

  /// A file or `-` for standard output.
  var path: String
  /// The format, when it is said.
  var format: String?
  /// How CSV is written.
  var dialect: CSVDialect
  /// What happens to a column that the first rows did not have.
  var policy: NewColumnPolicy
  /// The name of the stream, for formats that have one.
  var stream: String

  /// Creates it from the settings of a run.
  package init(_ settings: RunSettings.Output, policy: NewColumnPolicy, stream: String) {
    path = settings.path ?? "-"
    format = settings.format
    self.policy = policy
    self.stream = stream
    dialect = settings.dialect
  }

  /// Takes what a pipeline declares, where the settings of the run do not say otherwise.
  ///
  /// - Throws: ``DiagnosticsError`` for a delimiter that makes no sense.
  mutating func apply(_ declared: Options, unless settings: RunSettings.Output) throws {
    if settings.path == nil {
      if let text = declared.text("path") { path = text }
      if format == nil { format = declared.text("format") }
    }
    if let text = declared.given("null")?.scalar?.text { dialect.nullText = text }
    if let text = declared.text("list_separator") { dialect.listSeparator = text }
    if let text = declared.given("delimiter")?.scalar?.text {
      guard let byte = CSVDialect.delimiter(text) else {
        throw DiagnosticsError([
          Diagnostic(
            .error, "wrong-type", "“delimiter” takes one ASCII character, not “\(text)”",
            at: declared.location("delimiter"))
        ])
      }
      dialect.delimiter = byte
    }
    if declared.given("header") != nil { dialect.hasHeader = declared.bool("header") }
    if declared.bool("bom") { dialect.hasByteOrderMark = true }
    if declared.bool("crlf") { dialect.endsLinesWithCRLF = true }
    if declared.bool("csv_safe") { dialect.guardsFormulas = true }
  }

  /// The format's name: as given, by the file's extension, or a table on a terminal and else CSV.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` that lists what there is.
  func formatName() throws -> String {
    if let format {
      return try Self.registry.writable(format).name
    }
    if path == "-" { return SystemFacts.isTerminal(1) ? "table" : "csv" }
    guard let spec = Self.registry.format(forPath: path), spec.canWrite else {
      throw AggregateError(
        .configuration, "the extension of “\(path)” says no output format",
        hint: "add -f csv, or another format")
    }
    return spec.name
  }

  /// Whether the path names a database rather than a file.
  var isDatabase: Bool {
    [SQLiteTarget.scheme, "postgres://", "postgresql://"].contains { path.hasPrefix($0) }
  }

  /// The database that the path names; nil when it names a file.
  private func database(
    _ log: RunLog, _ redactor: Redactor
  ) throws -> (any RunOutput & OutputCommit)? {
    let sqlite = try SQLiteTarget(path, table: stream)
    let postgreSQL = try PostgreSQLTarget(path, table: stream)
    if let password = postgreSQL?.password { redactor.register(password) }
    guard sqlite != nil || postgreSQL != nil else { return nil }
    if let format {
      throw AggregateError(
        .configuration, "a database has no format; “\(format)” is for files and stdout")
    }
    if let sqlite { return try SQLiteOutput(sqlite, policy: policy, log: log) }
    return try postgreSQL.map { try PostgreSQLOutput($0, policy: policy) }
  }

  /// Where the bytes go; a path that ends in `.gz` or `.zst` is compressed.
  ///
  /// - Throws: ``AggregateError`` when the file can't be created, or the compression can't be written.
  private func sink() throws -> any ByteSink {
    if path == "-" { return try StandardOutput() }
    let lowered = path.lowercased()
    for (ending, tool) in [(".xz", "xz"), (".bz2", "bzip2")]
    where lowered.hasSuffix(ending) {
      throw AggregateError(
        .configuration, "“\(path)”: \(tool) is not written, only gzip and zstd",
        hint: "end the name in .gz or .zst, or write to a pipe: aggregate … | \(tool) > \(path)")
    }
    // The encoder first: without its library no file is to be begun.
    let encoder: (any StreamEncoder)? =
      lowered.hasSuffix(".gz")
      ? try GzipEncoder() : lowered.hasSuffix(".zst") ? try ZstandardEncoder(path: path) : nil
    let file = try AtomicFile(path)
    return encoder.map { CompressingSink(file, with: $0) } ?? file
  }

  /// Opens the output.
  ///
  /// - Throws: ``AggregateError`` when the format is unknown or the file can't be created.
  func open(
    log: RunLog, redactor: Redactor, hasColor: Bool
  ) throws -> (output: any RunOutput, sink: any OutputCommit) {
    if let database = try database(log, redactor) { return (database, database) }
    let name = try formatName()
    let isTerminal = path == "-" && SystemFacts.isTerminal(1)
    let style = TerminalStyle(
      width: isTerminal ? SystemFacts.terminalWidth(1) : nil, hasColor: hasColor && isTerminal,
      isTerminal: isTerminal)
    let settings = OutputOptions(dialect: dialect, style: style, title: stream)
    let encoding: EncodedOutput.Encoding
    if let encoder = try Self.registry.encoder(named: name, settings) {
      encoding = .encoder(encoder)
    } else {
      encoding = .writer(try Self.registry.writer(named: name, settings))
    }
    let sink = try sink()
    let isFlat = Self.registry[name]?.isFlat ?? true
    return (EncodedOutput(encoding, isFlat: isFlat, policy: policy, sink: sink, log: log), sink)
  }
}
