public import AggregateCore
internal import AggregateFormats

/// Reads files: CSV, TSV, JSON, NDJSON, feeds and XML, compressed or not.
public struct FileProvider: Provider {
  /// The description.
  public static let spec = ProviderSpec(
    "file", "Rows of files: CSV, TSV, JSON, NDJSON, feeds and XML, gzip and zstd included.",
    options: [
      OptionSpec(
        "path", .list(of: .text, orSingle: true), required: true,
        "The file, or a glob for several, which are read in the order of their names.",
        example: "\"data/*.csv\"")
    ] + InputSpecs.options,
    discussion: """
      Several files are one table: columns are matched by name, and a file that lacks one gives no \
      value for it. Compression is found by the first bytes, the format by the extension and then \
      by the first bytes.
      """,
    example: """
      sources:
        orders:
          provider: file
          path: "orders/*.csv.gz"
      """)

  private let paths: [LocatedText]
  private let input: InputOptions

  /// Creates the provider.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    paths = (options.nodes("path") ?? []).compactMap { LocatedText($0) }
    input = InputSpecs.read(options, &diagnostics)
  }

  /// No service is asked.
  public var plan: ProviderPlan { ProviderPlan(isLocal: true) }

  /// Only the files can tell, unless columns were declared.
  public var schema: Schema? { nil }

  /// Reads the files one after the other.
  public func rows(_ context: ProviderContext) async throws {
    let files = try files()
    if files.count == 1, let file = files.first {
      let opened = try await InputSpecs.opener.open(path: file, input, log: context.log)
      let demand = try await context.publish(opened.schema)
      return try await opened.emit(demand: demand) { try await context.emit($0) }
    }
    try await union(files, context)
  }

  /// The files that the paths stand for.
  func files() throws -> [String] { try paths.flatMap { try Glob.files(matching: $0.text) } }

  private func union(_ files: [String], _ context: ProviderContext) async throws {
    var schemas: [Schema] = []
    var isNested = true
    for file in files {
      let opened = try await InputSpecs.opener.open(path: file, input, log: context.log)
      schemas.append(opened.schema)
      isNested = isNested && (opened.format == "json" || opened.format == "ndjson")
    }
    let alignment = SchemaAlignment(union: schemas)
    let demand = try await context.publish(alignment.output)
    var known = input
    if isNested && input.columns == nil { known.schema = alignment.output }
    for file in files {
      let opened = try await InputSpecs.opener.open(path: file, known, log: context.log)
      // Demanded paths already make the columns of all files the same.
      let isProjected = isNested && input.columns == nil && demand != .all
      try await opened.emit(demand: isNested ? demand : .all) { work in
        try await context.emit(isProjected ? work : alignment.apply(work))
      }
    }
  }
}
