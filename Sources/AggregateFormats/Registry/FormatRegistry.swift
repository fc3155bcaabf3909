public import AggregateCore

/// What the writers of all formats may be told.
public struct OutputOptions: Sendable {
  /// How CSV and TSV are written.
  public var dialect: CSVDialect
  /// What writers for people may assume of where the output goes.
  public var style: TerminalStyle
  /// What the rows are called where a format names them: the stream of Singer, the title of a page.
  public var title: String

  /// Creates options.
  public init(
    dialect: CSVDialect = CSVDialect(), style: TerminalStyle = TerminalStyle(),
    title: String = "rows"
  ) {
    self.dialect = dialect
    self.style = style
    self.title = title
  }
}

/// The formats that this program knows, by name. Instantiable, for tests.
public struct FormatRegistry: Sendable {
  /// All formats, in the order they are listed.
  public let formats: [FormatSpec]

  /// Creates a registry; names must be unique.
  public init(_ formats: [FormatSpec] = FormatRegistry.standard) { self.formats = formats }

  /// The formats of this program.
  public static let standard: [FormatSpec] = [
    FormatSpec(
      "csv", "Comma-separated values by RFC 4180.", extensions: ["csv"], canRead: true,
      canWrite: true, isFlat: true,
      notes: [
        "A record is malformed when it has the wrong number of cells (unless `--ragged`), when text "
          + "follows the closing quote of a cell, or when a quote is never closed.",
        "With `--on-error skip` reading goes on at the end of the malformed record. A quote opens only "
          + "at the beginning of a cell, and what it encloses may have line ends; text behind a "
          + "closing quote is read like an unquoted cell; a quote that is never closed takes the "
          + "rest of the input as one record. So what survives depends on the bytes alone.",
      ]),
    FormatSpec(
      "tsv", "Tab-separated values; tabs and line ends in values are escaped with a backslash.",
      extensions: ["tsv", "tab"], canRead: true, canWrite: true, isFlat: true),
    FormatSpec(
      "json", "One JSON array of objects; read: one document, or the elements of its array.",
      extensions: ["json"], canRead: true, canWrite: true, isFlat: false),
    FormatSpec(
      "ndjson", "A JSON object per line.", extensions: ["ndjson", "jsonl"], canRead: true,
      canWrite: true, isFlat: false),
    FormatSpec(
      "table", "An aligned table for the terminal.", extensions: ["txt"], canRead: false,
      canWrite: true, isFlat: true),
    FormatSpec(
      "markdown", "A table of GitHub Flavored Markdown.", extensions: ["md", "markdown"],
      canRead: false, canWrite: true, isFlat: true),
    FormatSpec(
      "vertical", "A line per value, row under row.", extensions: [], canRead: false,
      canWrite: true, isFlat: true),
    FormatSpec(
      "yaml", "A YAML list of mappings.", extensions: ["yaml", "yml"], canRead: false,
      canWrite: true, isFlat: false),
    FormatSpec(
      "html", "One self-contained page with a table that can be searched and sorted.",
      extensions: ["html", "htm"], canRead: false, canWrite: true, isFlat: true),
    FormatSpec(
      "chart", "Bars in the terminal: the first text column against the first numeric one.",
      extensions: [], canRead: false, canWrite: true, isFlat: true),
    FormatSpec(
      "xlsx", "An Excel workbook of one sheet; longer numbers than Excel keeps are text.",
      extensions: ["xlsx"], canRead: false, canWrite: true,
      isFlat: true),
    FormatSpec(
      "parquet", "Parquet, written by DuckDB when that is installed.", extensions: ["parquet"],
      canRead: false, canWrite: true, isFlat: true),
    FormatSpec(
      "singer", "Messages of the Singer protocol: SCHEMA, RECORD, STATE.", extensions: [],
      canRead: false, canWrite: true, isFlat: false),
    FormatSpec(
      "feed", "RSS, Atom or JSON Feed, as the columns of news.",
      extensions: ["rss", "atom", "rdf"], canRead: true, canWrite: false, isFlat: false),
    FormatSpec(
      "xml", "XML elements as nested values.", extensions: ["xml"], canRead: true,
      canWrite: false, isFlat: false),
  ]

  /// The names, in order.
  public var names: [String] { formats.map(\.name) }

  /// The format of this name.
  public subscript(name: String) -> FormatSpec? { formats.first { $0.name == name } }

  /// The format that the extension of `path` stands for; `.gz` and `.zst` behind it are passed over.
  public func format(forPath path: String) -> FormatSpec? {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var parts = name.lowercased().split(separator: ".", omittingEmptySubsequences: false)
    if let last = parts.last, ["gz", "gzip", "zst"].contains(last) { parts.removeLast() }
    guard parts.count > 1, let last = parts.last else { return nil }
    return formats.first { $0.extensions.contains(String(last)) }
  }

  /// The format to write, by name.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is none or it is only read.
  public func writable(_ name: String) throws -> FormatSpec {
    let candidates = formats.filter(\.canWrite).map(\.name)
    guard let format = self[name] else {
      throw AggregateError(
        .configuration, "unknown format “\(name)”",
        hint: Suggestions.hint(for: name, in: candidates))
    }
    guard format.canWrite else {
      throw AggregateError(
        .configuration, "the format “\(name)” can be read but not written",
        hint: "written are \(candidates.joined(separator: ", "))")
    }
    return format
  }

  /// The encoder of a format, for formats whose batches can be encoded side by side; else nil.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is no such format to write.
  public func encoder(named name: String, _ options: OutputOptions) throws -> (any BatchEncoder)? {
    switch try writable(name).name {
    case "csv": CSVEncoder(options.dialect)
    case "tsv": TSVEncoder(options.dialect)
    case "json": options.style.isTerminal ? PrettyJSONEncoder() : NDJSONEncoder(.array)
    case "ndjson": NDJSONEncoder(.lines)
    default: nil
    }
  }

  /// The writer of a format.
  ///
  /// - Throws: ``AggregateError`` with code `configuration` when there is no such format to write, or
  ///   when this build lacks what it needs.
  public func writer(named name: String, _ options: OutputOptions) throws -> any Writer {
    if let encoder = try encoder(named: name, options) { return EncodingWriter(encoder) }
    switch name {
    case "table": return TableWriter(options.style)
    case "markdown": return MarkdownWriter()
    case "vertical": return VerticalWriter(options.style)
    case "yaml": return YAMLWriter()
    case "html": return HTMLWriter(title: options.title)
    case "chart": return ChartWriter(options.style)
    case "singer": return SingerWriter(stream: options.title)
    case "xlsx": return try XLSXWriter(sheet: options.title)
    case "parquet":
      throw AggregateError(
        .configuration, "this build cannot write parquet: DuckDB is not available to it",
        hint: "write ndjson or csv, and let DuckDB copy it to parquet")
    default:
      throw AggregateError(.internal, "the format “\(name)” has no writer")
    }
  }
}
