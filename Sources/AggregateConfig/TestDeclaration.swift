public import AggregateCore

/// An entry of `tests:`: a run without network and what must come out of it.
public struct TestDeclaration: Sendable {
  /// What must come out of the run.
  public struct Expectation: Sendable {
    /// How many rows.
    public let rows: Int?
    /// The columns, in order.
    public let columns: [String]?
    /// A CSV file with the whole output.
    public let csv: String?
    /// Rows that must be among the output: columns and their values.
    public let contains: [Node]
    /// The exit code.
    public let exit: Int
    /// Where it was written.
    public let location: SourceLocation
  }

  /// What the test says.
  public let name: String
  /// Where it was written.
  public let location: SourceLocation
  /// The source or pipeline that is run.
  public let run: LocatedText?
  /// The HAR file that answers its requests.
  public let replay: String?
  /// Whether the provider's samples answer them.
  public let sample: Bool
  /// Values for the run, as `-p` sets them.
  public let params: [(name: String, value: String)]
  /// What must come out.
  public let expect: Expectation?
  /// Environment variables that are not set and the like: errors only when the test is run.
  public let unresolved: Diagnostics

  /// The keys of a test.
  public static let specs: [OptionSpec] = [
    OptionSpec("name", .text, required: true, "What the test says."),
    OptionSpec("run", .text, required: true, "The source or pipeline that is run."),
    OptionSpec("replay", .text, "A HAR file that answers its requests."),
    OptionSpec(
      "sample", .bool, default: "false", "Whether the provider's samples answer its requests."),
    OptionSpec("params", .map(of: .text, keys: "name"), "Values for the run, as `-p` sets them."),
    OptionSpec("expect", .object(expectationSpecs), "What must come out."),
  ]

  /// The keys of a test's `expect`.
  public static let expectationSpecs: [OptionSpec] = [
    OptionSpec("rows", .int(0...Int.max), "How many rows."),
    OptionSpec("columns", .list(of: .text, orSingle: true), "The columns, in order."),
    OptionSpec("csv", .text, "A CSV file with the whole output."),
    OptionSpec(
      "contains", .list(of: .map(of: .any, keys: "column"), orSingle: true),
      "Rows that must be among the output.", example: "[{ city: London }]"),
    OptionSpec("exit", .int(0...255), default: "0", "The exit code of the run."),
  ]

  init(_ node: Node, unresolved: Diagnostics) {
    let options = Options(node, specs: Self.specs)
    name = options.text("name") ?? ""
    location = options.location("name")
    run = options.given("run").flatMap { LocatedText($0) }
    replay = options.text("replay")
    sample = options.bool("sample")
    params = (options.entries("params") ?? []).map { ($0.key, $0.value.string ?? "") }
    self.unresolved = unresolved
    expect = options.options("expect", specs: Self.expectationSpecs).map { options in
      Expectation(
        rows: options.int("rows"), columns: options.texts("columns"), csv: options.text("csv"),
        contains: options.nodes("contains") ?? [], exit: options.int("exit") ?? 0,
        location: options.node.location)
    }
  }
}
