public import AggregateCore
internal import AggregateFormats

/// Reads rows from standard input.
public struct StdinProvider: Provider {
  /// The description.
  public static let spec = ProviderSpec(
    "stdin", "Rows from standard input, in any format that files may have.",
    options: InputSpecs.options,
    discussion: "Rows go on as they arrive; an empty input has no rows.",
    example: """
      sources:
        piped:
          provider: stdin
          format: ndjson
      """)

  private let input: InputOptions

  /// Creates the provider.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    input = InputSpecs.read(options, &diagnostics)
  }

  /// No service is asked.
  public var plan: ProviderPlan { ProviderPlan(isLocal: true) }

  /// Only the input can tell.
  public var schema: Schema? { nil }

  /// Reads standard input to its end.
  public func rows(_ context: ProviderContext) async throws {
    let source = DescriptorSource(context.services.standardInput, name: "<stdin>", closes: false)
    let opened = try await InputSpecs.opener.open(
      source, name: "<stdin>", input, log: context.log)
    let demand = try await context.publish(opened.schema)
    try await opened.emit(demand: demand) { try await context.emit($0) }
  }
}
