internal import AggregateCore
internal import AggregateFeeds
internal import AggregateFormats
internal import AggregateJSON

/// The options that all sources of bytes share, and what they mean.
enum InputSpecs {
  static let options: [OptionSpec] = [
    OptionSpec(
      "format", .choice(["auto"] + opener.readableFormats), default: "auto",
      "The format; auto goes by the extension, then by the first bytes.", example: "ndjson"),
    OptionSpec(
      "records", .jsonPath, "Which values of JSON or XML documents are the records.",
      example: "$.data[*]"),
    OptionSpec(
      "columns", .map(of: .text, keys: "column"),
      "The wanted columns: a name, and the JSONPath or the column that its values come from.",
      example: "{ id: $.id, city: $.address.city }"),
    OptionSpec(
      "delimiter", .parsed(kind: "one character or tab", check: delimiterMistake),
      "What stands between two cells of CSV.", example: "\";\""),
    OptionSpec(
      "header", .bool, default: "true", "Whether the first record of CSV holds the names.",
      example: "false"),
    OptionSpec(
      "null", .text, "Unquoted text in CSV that means null, beside nothing at all.",
      example: "NA"),
    OptionSpec(
      "ragged", .bool, default: "false",
      "Whether short records of CSV are filled with null and cells beyond the last column kept in _extra.",
      example: "true"),
    OptionSpec(
      "encoding", .choice(TextEncoding.allCases.map(\.rawValue)),
      "The encoding of the text; without it UTF-8, or UTF-16 with a byte order mark.",
      example: "latin-1"),
  ]

  private static let delimiterMistake: @Sendable (String) -> Shape.Mistake? = { text in
    CSVDialect.delimiter(text) == nil
      ? Shape.Mistake(
        "“\(text)” cannot be a delimiter", hint: "one ASCII character such as ; or |, or tab")
      : nil
  }

  /// What the options of a source say about how it is read; mistakes go to `diagnostics`.
  static func read(_ options: Options, _ diagnostics: inout Diagnostics) -> InputOptions {
    var input = InputOptions()
    input.format = options.text("format")
    input.records = options.text("records").flatMap { try? JSONPath(parsing: $0) }
    input.columns = columns(options, &diagnostics)
    if let delimiter = options.text("delimiter").flatMap(CSVDialect.delimiter) {
      input.dialect.delimiter = delimiter
      input.hasDelimiter = true
    }
    input.dialect.hasHeader = options.bool("header")
    input.dialect.nullText = options.text("null") ?? ""
    input.dialect.allowsRaggedRows = options.bool("ragged")
    input.encoding = options.text("encoding").flatMap(TextEncoding.init(rawValue:))
    if let sample = options.node["schema"]?["sample"]?.string.flatMap({ Int($0) }), sample > 0 {
      input.sampleRecords = sample
    }
    input.skipsMalformed = options.node["on_error"]?.string == "skip"
    return input
  }

  private static func columns(
    _ options: Options, _ diagnostics: inout Diagnostics
  ) -> [InputColumn]? {
    guard let entries = options.entries("columns"), !entries.isEmpty else { return nil }
    return entries.compactMap { entry in
      guard let text = entry.value.string else { return nil }
      guard text.hasPrefix("$") else { return InputColumn(entry.key, .name(text)) }
      do throws(JSONPathError) {
        return InputColumn(entry.key, .path(try JSONPath(parsing: text)))
      } catch {
        diagnostics.error(
          "bad-path", error.message, at: entry.value.location.advanced(by: error.offset),
          hint: error.hint)
        return nil
      }
    }
  }

  /// What opens inputs of every format, feeds and XML included.
  static let opener = InputOpener(registry: DocumentFormats.registry)
}
