public import AggregateCore

/// An entry of `pipelines:`: sources merged, stages, an output.
public struct PipelineDeclaration: Sendable {
  /// Its name.
  public let name: String
  /// Where the name was written.
  public let location: SourceLocation
  /// The whole mapping, `${…}` filled in.
  public let node: Node
  /// What it is.
  public let description: String?
  /// The sources whose rows it takes, in order.
  public let merge: [LocatedText]
  /// The items of `stages`, as written.
  public let stages: [Node]
  /// Format, path and dialect of the output; nil when it goes to stdout.
  public let output: Options?
  /// What happens when a source fails, where the source does not say.
  public let onError: ErrorPolicy?
  /// Environment variables that are not set and the like: errors only when it is run.
  public let unresolved: Diagnostics

  /// The keys of a pipeline.
  public static let specs: [OptionSpec] = [
    OptionSpec("description", .text, "What the pipeline is."),
    OptionSpec(
      "merge", .list(of: .text, orSingle: true), required: true,
      "The sources whose rows it takes, in order.", example: "[weather, news]"),
    OptionSpec(
      "stages", .list(of: .any, orSingle: false), "Transforms of the merged rows, in order."),
    OptionSpec(
      "output", .object(outputSpecs), "Where the rows go; stdout when left out.",
      example: "{ format: csv, path: morning.csv }"),
    OptionSpec(
      "on_error", .choice(ErrorPolicy.allCases.map(\.rawValue)),
      "What happens when a source fails that does not say it itself."),
  ]

  /// The keys of `output`.
  public static let outputSpecs: [OptionSpec] = [
    OptionSpec("format", .text, "The format; by the file name when left out.", example: "csv"),
    OptionSpec(
      "path", .template, "A file, `sqlite:FILE?table=T`, `postgres://…?table=T`, or `-`.",
      example: "morning.csv"),
    OptionSpec("null", .text, "The text that stands for null in CSV."),
    OptionSpec("list_separator", .text, "What joins the elements of a list in CSV."),
    OptionSpec("delimiter", .text, "What separates the cells in CSV."),
    OptionSpec("header", .bool, default: "true", "Whether CSV has a header."),
    OptionSpec("bom", .bool, default: "false", "Whether CSV begins with a byte-order mark."),
    OptionSpec("crlf", .bool, default: "false", "Whether lines of CSV end in CR LF."),
    OptionSpec(
      "csv_safe", .bool, default: "false", "Whether CSV is made safe against formulas."),
  ]

  init(_ entry: Node.Entry, node: Node, unresolved: Diagnostics) {
    name = entry.key
    location = entry.location
    self.node = node
    self.unresolved = unresolved
    let options = Options(node, specs: Self.specs)
    description = options.text("description")
    merge = (options.nodes("merge") ?? []).compactMap { LocatedText($0) }
    stages = options.nodes("stages") ?? []
    output = options.options("output", specs: Self.outputSpecs)
    onError = options.given("on_error")?.string.flatMap(ErrorPolicy.init)
  }
}
