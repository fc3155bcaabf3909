public import AggregateCore
internal import AggregateFormats

/// Runs a program and reads what it prints as rows.
public struct CommandProvider: Provider {
  /// The description.
  public static let spec = ProviderSpec(
    "command", "Rows that a program prints.",
    options: [
      OptionSpec(
        "run", .list(of: .text, orSingle: false), required: true,
        "The program and its arguments, one word each; no shell takes them apart.",
        example: "[ps, -eo, \"pid,comm\"]")
    ] + InputSpecs.options,
    discussion: """
      The program is looked for in PATH. It reads nothing from standard input, and what it prints to \
      standard error is told line by line, without secrets. When it ends with another status than 0 the source fails, \
      after the rows that it printed. It is ended, with what it started, when no more rows are wanted, \
      and when it runs longer than `timeout`, if that is declared.
      """,
    example: """
      sources:
        disks:
          provider: command
          run: [sh, -c, "df --output=source,pcent | tr -s ' ' ,"]
          format: csv
      """)

  private let words: [String]
  private let input: InputOptions
  /// How long the program may run; nil for as long as it likes.
  private let timeout: Duration?

  /// Creates the provider.
  public init(_ options: Options, _ diagnostics: inout Diagnostics) {
    words = options.texts("run") ?? []
    input = InputSpecs.read(options, &diagnostics)
    let declared = options.given("timeout")
    timeout = (declared?["total"] ?? declared)?.string.flatMap(Quantities.duration)
    if words.isEmpty || words.first == "" {
      diagnostics.error(
        "no-program", "“run” names no program", at: options.location("run"),
        hint: "write a list such as [ps, -e]")
    }
  }

  /// No service is asked.
  public var plan: ProviderPlan { ProviderPlan(isLocal: true) }

  /// Only the output can tell.
  public var schema: Schema? { nil }

  /// Runs the program to its end.
  public func rows(_ context: ProviderContext) async throws {
    let process = try ChildProcess(words)
    process.tellErrors { context.log.note($0) }
    let watch = timeout.map { timeout in
      Task {
        try await Task.sleep(for: timeout)
        process.expire()
        try await Task.sleep(for: .seconds(2))
        process.terminate(isForced: true)
      }
    }
    defer { watch?.cancel() }
    do {
      try await read(process, context)
    } catch let error as AggregateError {
      throw process.isLate ? late(process.name) : error
    }
    if process.isLate { throw late(process.name) }
  }

  private func late(_ name: String) -> AggregateError {
    AggregateError(
      .unavailable,
      "the program \(name) ran longer than \(timeout.map { "\($0)" } ?? ""), and was ended",
      hint: "timeout says how long it may run")
  }

  private func read(_ process: ChildProcess, _ context: ProviderContext) async throws {
    let name = process.name
    try await withTaskCancellationHandler {
      let source = DescriptorSource(process.output, name: name, closes: true)
      let opened = try await InputSpecs.opener.open(source, name: name, input, log: context.log)
      let demand = try await context.publish(opened.schema)
      try await opened.emit(demand: demand) { try await context.emit($0) }
      try await process.finish()
    } onCancel: {
      process.terminate()
    }
  }
}
