import AggregateCore
import AggregateExpressions

@testable import AggregateConfig

/// A provider with nested options and a fixed schema, for tests of the configuration.
struct FakeProvider: Provider {
  static let spec = ProviderSpec(
    "fake", "Gives nothing.",
    options: [
      OptionSpec("url", .template, required: true, "The address."),
      OptionSpec("limit", .int(1...100), default: "10", "How many."),
      OptionSpec("query", .map(of: .list(of: .template, orSingle: true), keys: "name"), "Query."),
      OptionSpec("names", .list(of: .text, orSingle: true), "Names."),
      OptionSpec(
        "columns",
        .map(
          of: .either([.template, .object([OptionSpec("path", .text, required: true, "Where.")])]),
          keys: "column"), "Columns."),
      OptionSpec("parent", .text, "A source."),
      OptionSpec(
        "auth",
        .oneOf(
          [
            OptionSpec("bearer", .text, secret: true, "Token."),
            OptionSpec(
              "basic",
              .object([
                OptionSpec("user", .text, required: true, "Name."),
                OptionSpec("password", .text, required: true, secret: true, "Secret."),
              ]), "User and password."),
          ], with: []), "Who asks."),
    ], example: "provider: fake")

  let schema: Schema? = Schema([ColumnSpec("id", .int), ColumnSpec("name", .text)])
  let options: Options

  init(_ options: Options, _ diagnostics: inout Diagnostics) { self.options = options }

  var sourceReferences: [LocatedText] {
    options.given("parent").flatMap { LocatedText($0) }.map { [$0] } ?? []
  }

  func rows(_ context: ProviderContext) async throws {}
}

/// Keeps one column.
struct KeepStage: Stage {
  static let spec = StageSpec(
    "keep", "Keeps a column.",
    options: [
      OptionSpec("column", .text, required: true, "Which."), OptionSpec("with", .text, "A side."),
    ], shorthand: .value("column"), example: "keep: id")

  let column: LocatedText?
  let side: LocatedText?

  init(_ options: Options, _ diagnostics: inout Diagnostics) {
    column = options.given("column").flatMap { LocatedText($0) }
    side = options.given("with").flatMap { LocatedText($0) }
  }

  var sideInputs: [SideInput] {
    side.map { [SideInput(name: $0.text, location: $0.location, order: .beforeMain)] } ?? []
  }

  struct Kept: RowTransform {
    let output: Schema
    let index: Int
    func apply(_ batch: Batch) throws -> Batch {
      Batch(schema: output, columns: [batch.columns[index]], rowCount: batch.rowCount)
    }
  }

  func bind(_ schema: Schema, sides: [Schema], _ context: StageContext) throws -> BoundStage {
    guard let column else { throw AggregateError(.internal, "no column") }
    let index = try schema.resolve(column).index
    return .rows(Kept(output: Schema([schema.columns[index]]), index: index))
  }
}

/// Loads texts with the providers and stages above.
struct Loading {
  let redactor = Redactor()
  let loader: ConfigurationLoader

  init(_ environment: [String: String] = [:]) {
    loader = ConfigurationLoader(
      providers: ProviderRegistry([FakeProvider.self]),
      stages: StageRegistry([KeepStage.self], expressions: Expressions()),
      redactor: redactor, environment: environment)
  }

  func load(_ text: String, path: String = "sources.yaml") -> (Configuration, Diagnostics) {
    loader.load(Array(text.utf8), path: path)
  }

  /// The diagnostics, rendered: first lines only.
  func mistakes(_ text: String) -> [String] {
    load(text).1.all.map { String($0.rendered.prefix { $0 != "\n" }) }
  }
}

/// A file with one source `items` and further keys.
func source(_ lines: String..., after: String = "") -> String {
  "version: 1\nsources:\n  items:\n    provider: fake\n    url: http://h/\n"
    + lines.map { "    \($0)\n" }.joined() + after
}
